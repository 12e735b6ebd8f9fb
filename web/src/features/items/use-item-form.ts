import { ApiProblem } from '../../api/client.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { useWords } from '../../words/words.tsx';
import { fieldError, fieldErrorText, type ItemField, type ItemTexts, itemFields } from './item-fields.ts';

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
    mode: 'onTouched',
    onInput: onTyped,
    submit: send,
    onError: onRefused,
    fieldErrorsOf: (problem) => (problem instanceof ApiProblem ? problem.fields : {}),
  });
  return {
    ...form,
    texts: form.values,
    field: (name: ItemField) => {
      const { error, ...field } = form.field(name);
      return {
        ...field,
        error: error && fieldErrorText(error, words),
        // The reply resets the fields, so nothing may be typed meanwhile.
        readOnly: form.busy,
        defaultValue: initial[name],
        ...(notes[name] !== undefined && { hint: notes[name] }),
      };
    },
  };
}
