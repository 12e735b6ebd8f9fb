import { fieldErrorText, refusedFields } from '../../live/field-error-text.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { useWords } from '../../words/words.tsx';
import { fieldError, type ItemField, type ItemTexts, itemFields, maxLengths } from './item-fields.ts';

type ItemFormOptions = {
  initial: ItemTexts;
  /** The fields to show; all by default. */
  fields?: readonly ItemField[];
  send: (texts: ItemTexts) => Promise<void>;
  /** Called after every change of a field, typed or not. */
  onTyped?: (texts: ItemTexts) => void;
  onRefused: (problem: unknown) => void;
  /** Shown under a field in place of its usual hint. */
  notes?: Partial<Record<ItemField, string>>;
};

export type ItemFormState = ReturnType<typeof useItemForm>;

export function useItemForm({ initial, fields = itemFields, send, onTyped, onRefused, notes = {} }: ItemFormOptions) {
  const words = useWords();
  const form = useForm<ItemField>({
    fields,
    initial,
    check: fieldError,
    errorText: (name, error) => fieldErrorText(error, words, maxLengths[name]),
    mode: 'onTouched',
    onInput: onTyped,
    submit: send,
    onError: onRefused,
    fieldErrorsOf: refusedFields,
  });
  return {
    ...form,
    texts: form.values,
    field: (name: ItemField) => ({
      ...form.field(name),
      // The reply resets the fields, so nothing may be typed meanwhile.
      readOnly: form.busy,
      defaultValue: initial[name],
      ...(notes[name] !== undefined && { hint: notes[name] }),
    }),
  };
}
