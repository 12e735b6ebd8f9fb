import { fromWire, fromWireName, fromWireNames, toWireName, toWireNames } from '@perfume/contract/wire-item';
import { checkBarcode, codeKey, codeKeys } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import { useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { fieldErrorText, refusedFields } from '../../live/field-error-text.ts';
import { useForm } from '../../ui/form/use-form.ts';
import { useWords } from '../../words/words.tsx';
import { fieldError, type ItemField, type ItemTexts, itemFields, linesOf, maxLengths } from './item-fields.ts';

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
  /** The item that has a code of this form, according to the server. */
  const [holder, setHolder] = useState<Item | null>(null);
  // The inputs are named like the fields of the API, as the spec requires.
  const form = useForm<InputName>({
    fields: fields.map(toWireName),
    initial: toWireNames(initial),
    check: (name, text) => fieldError(fromWireName(name), text),
    errorText: (name, error) => errorText(fromWireName(name), error),
    mode: 'onTouched',
    onInput: (values) => onTyped?.(fromWireNames(values)),
    submit: (values) => send(fromWireNames(values)),
    onError: (problem) => {
      const isTaken = problem instanceof ApiProblem && problem.code === 'code_taken' && problem.item;
      if (isTaken) setHolder(fromWire(isTaken));
      onRefused(problem);
    },
    fieldErrorsOf: refusedFields,
  });

  function errorText(name: ItemField, error: string): string {
    const max = maxLengths[name];
    const codes = linesOf(form.values[toWireName(name)]);
    if (error === 'wrong_check_digit') {
      const wrong = codes.map(checkBarcode).find((checked) => !checked.ok);
      if (wrong && !wrong.ok && wrong.error.code === 'wrong_check_digit')
        return fieldErrorText(error, words, { code: wrong.error.digits, digit: String(wrong.error.expected) });
    }
    const held = holder && codeKeys(holder);
    const code = codes.find((one) => held?.includes(codeKey(one)));
    return fieldErrorText(error, words, { max, ...(code && { code }), ...(holder && { name: holder.name }) });
  }

  return {
    ...form,
    fields,
    texts: fromWireNames(form.values),
    focus: (name: ItemField) => form.focus(toWireName(name)),
    showError: (name: ItemField) => form.showError(toWireName(name)),
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
