import { checkBarcode, codeKey } from '@perfume/domain/codes';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './barcodes-field.module.css';
import { linesOf } from './item-fields.ts';
import type { ItemFormState } from './use-item-form.ts';

/**
 * A list of barcodes, and a field to add more. The form has all of them as the lines of a hidden text. What is being
 * typed is the last line, so that it is saved too if nobody presses Enter after it.
 */
export function BarcodesField({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const { name, error, readOnly, hint, defaultValue } = form.field('barcodes');
  const hidden = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [said, setSaid] = useState('');
  const lines = linesOf(form.texts.barcodes);
  // Others can set the field too: a draft, a scanner, or somebody who edits the same item.
  const isTyping = typed.trim() !== '' && lines.at(-1) === typed.trim();
  const codes = isTyping ? lines.slice(0, -1) : lines;

  function put(next: string[]): void {
    if (!hidden.current) return;
    hidden.current.value = next.join('\n');
    // The form then takes it as typed: it saves the draft and removes the server's error of this field.
    hidden.current.dispatchEvent(new Event('input', { bubbles: true }));
  }

  function type(text: string): void {
    setTyped(text);
    put([...codes, text.trim()].filter(Boolean));
  }

  /** Adds codes to the list. What is not a code stays in the field, with the error below it. */
  function add(added: string[]): void {
    const known = new Set(codes.map(codeKey));
    const right = added.filter(
      (code) => checkBarcode(code).ok && !known.has(codeKey(code)) && known.add(codeKey(code)),
    );
    const wrong = added.find((code) => !checkBarcode(code).ok) ?? '';
    setTyped(wrong);
    put([...codes, ...right, wrong].filter(Boolean));
    if (wrong !== '') form.showError('barcodes');
    else if (right.length > 0) setSaid(say('itemForm.barcodes.added', { code: right.join(', ') }));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (!event.ctrlKey && !event.metaKey) event.preventDefault();
    if (isTyping) add([typed.trim()]);
  }

  function onPaste(event: ClipboardEvent): void {
    const pasted = linesOf(event.clipboardData.getData('text'));
    if (pasted.length < 2) return;
    event.preventDefault();
    add(pasted);
  }

  function remove(code: string): void {
    put(lines.filter((one) => one !== code));
    setSaid(say('itemForm.barcodes.removed', { code }));
    input.current?.focus();
  }

  return (
    <div className={styles.barcodes}>
      <textarea ref={hidden} hidden name={name} defaultValue={defaultValue} />
      <TextField
        ref={input}
        label={say('itemForm.barcodes')}
        hint={hint ?? say('itemForm.barcodes.hint')}
        error={error}
        readOnly={readOnly}
        value={isTyping || typed.trim() === '' ? typed : ''}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        enterKeyHint="done"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        after={
          isTyping && (
            <Button size="s" look="plain" className={styles.add} onClick={() => add([typed.trim()])}>
              {say('itemForm.barcodes.add')}
            </Button>
          )
        }
      />
      {codes.length > 0 && (
        <ul className={styles.list} aria-label={say('itemForm.barcodes')}>
          {codes.map((code) => (
            <li key={code} className={styles.code}>
              <bdi>{code}</bdi>
              <IconButton
                label={say('itemForm.barcodes.remove', { code })}
                disabled={readOnly}
                onClick={() => remove(code)}
              >
                <Icon of={X} size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}
