import { fromWireName, fromWireNames, toWireName, toWireNames } from '@perfume/contract/wire-item';
import { fieldErrorText, refusedFields } from '../../live/field-error-text.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { useWords } from '../../words/words.tsx';
import { fieldError, type ItemField, type ItemTexts, itemFields, maxLengths } from './item-fields.ts';

type InputName = ReturnType<typeof toWireName<ItemField>>;

type ItemFormOptions = {
  initial: ItemTexts;
  /** The fields to show; all by default. */
  fields?: readonly ItemField[];
  send: (texts: ItemTexts) => Promise<void>;
  /** Called after every change of a field, whether typed by the user or set by code. */
  onTyped?: (texts: ItemTexts) => void;
  onRefused: (problem: unknown) => void;
  /** Shown under a field in place of its usual hint. */
  notes?: Partial<Record<ItemField, string>>;
};

export type ItemFormState = ReturnType<typeof useItemForm>;

export function useItemForm({ initial, fields = itemFields, send, onTyped, onRefused, notes = {} }: ItemFormOptions) {
  const words = useWords();
  // The inputs are named like the fields of the API, as the spec requires.
  const form = useForm<InputName>({
    fields: fields.map(toWireName),
    initial: toWireNames(initial),
    check: (name, text) => fieldError(fromWireName(name), text),
    errorText: (name, error) => fieldErrorText(error, words, maxLengths[fromWireName(name)]),
    mode: 'onTouched',
    onInput: (values) => onTyped?.(fromWireNames(values)),
    submit: (values) => send(fromWireNames(values)),
    onError: onRefused,
    fieldErrorsOf: refusedFields,
  });
  return {
    ...form,
    fields,
    texts: fromWireNames(form.values),
    focus: (name: ItemField) => form.focus(toWireName(name)),
    setValues: (texts: Partial<ItemTexts>) => form.setValues(toWireNames(texts)),
    reset: (texts: ItemTexts) => form.reset(toWireNames(texts)),
    field: (name: ItemField) => ({
      ...form.field(toWireName(name)),
      // Saving may reset the fields, which would discard anything typed meanwhile.
      readOnly: form.busy,
      defaultValue: initial[name],
      ...(notes[name] !== undefined && { hint: notes[name] }),
    }),
  };
}
