import type { WireView } from '@perfume/contract/views';
import { checkViewName, listScope, VIEW_NAME_MAX, type ViewPage } from '@perfume/domain/views';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { fieldErrorText } from '../../live/field-error-text.ts';
import { useMay } from '../../live/may.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './view-form.module.css';

type Fields = Pick<WireView, 'name' | 'shared' | 'pinned' | 'email'>;
type ViewFormProps = {
  title: string;
  page: ViewPage;
  note?: string;
  start: Fields;
  submitLabel: string;
  /** Saves the view and closes the form, unless the view was refused. */
  onSubmit: (fields: Fields) => Promise<void>;
  onSaveAsNew?: (fields: Fields) => Promise<void>;
  onClose: () => void;
};

/** The dialog with the name of a view, whether it is shared and pinned, and whether the person gets emails about it. */
export function ViewForm({ title, note, onClose, ...form }: ViewFormProps) {
  const { say } = useWords();
  return (
    <Dialog title={title} closeLabel={say('views.form.close')} onClose={onClose} {...(note && { description: note })}>
      <Form {...form} />
    </Dialog>
  );
}

function Form({ page, start, submitLabel, onSubmit, onSaveAsNew }: Omit<ViewFormProps, 'title' | 'note' | 'onClose'>) {
  const words = useWords();
  const { say } = words;
  const may = useMay();
  const isInHouse = useBoot().user?.house !== undefined;
  const [name, setName] = useState(start.name);
  const [shared, setShared] = useState(start.shared);
  const [pinned, setPinned] = useState(start.pinned);
  const [email, setEmail] = useState(start.email);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Otherwise the dialog would focus its close button. What is typed replaces the suggested name.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  async function send(save: (fields: Fields) => Promise<void>) {
    if (busy) return;
    const checked = checkViewName(name);
    setWrong(checked.ok ? undefined : fieldErrorText(checked.error.code, words, { max: VIEW_NAME_MAX }));
    if (!checked.ok) return field.current?.focus();
    setBusy(true);
    await save({ name: checked.value, shared, pinned, email });
    setBusy(false);
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send(onSubmit);
      }}
    >
      <TextField
        ref={field}
        label={say('views.form.name')}
        value={name}
        maxLength={VIEW_NAME_MAX}
        autoComplete="off"
        dir="auto"
        error={wrong}
        onChange={({ target }) => {
          setName(target.value);
          setWrong(undefined);
        }}
      />
      <div className={styles.choices}>
        {(may('moveStock') || shared) && (
          <Checkbox
            label={say(isInHouse ? 'views.form.shareHouse' : 'views.form.shareWarehouse')}
            checked={shared}
            onChange={({ target }) => setShared(target.checked)}
          />
        )}
        <Checkbox label={say('views.form.pin')} checked={pinned} onChange={({ target }) => setPinned(target.checked)} />
        {shared && pinned && <p className={styles.hint}>{say('views.form.pinShared')}</p>}
        {listScope(page) !== null && (
          <Checkbox
            label={say('views.form.email')}
            checked={email}
            onChange={({ target }) => setEmail(target.checked)}
          />
        )}
      </div>
      <div className={styles.actions}>
        {onSaveAsNew && (
          <Button busy={busy} onClick={() => void send(onSaveAsNew)}>
            {say('views.form.asNew')}
          </Button>
        )}
        <Button type="submit" look="primary" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
