import { pictureTypes } from '@perfume/domain/pictures';
import { Camera, ImageUp, Trash } from 'lucide-react';
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useWords } from '../../words/words.tsx';
import { fieldError } from './item-fields.ts';
import styles from './picture-field.module.css';
import type { ItemFormState } from './use-item-form.ts';
import { usePictureUpload } from './use-picture-upload.ts';

const ACCEPTED = pictureTypes.join(',');

/** The picture of an item: a web address, or a file that is chosen, dropped, pasted or photographed. */
export function PictureField({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const { upload, take, clear } = usePictureUpload({
    onStored: ({ img }) => form.setValues({ img }),
    onUploading: form.waitFor,
  });
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const { img } = form.texts;
  const { over, ...zone } = useDropZone(take);
  usePastedPicture(take);

  function chosen(input: HTMLInputElement) {
    const [file] = input.files ?? [];
    if (file) take(file);
    // So that the same file can be chosen again.
    input.value = '';
  }

  function cancel() {
    clear();
    chooseButton.current?.focus();
  }

  function remove() {
    clear();
    form.setValues({ img: '' });
    form.focus('img');
  }

  const hasPicture = img.trim() !== '';
  return (
    <div {...zone} className={styles.zone} data-over={over || undefined}>
      <Thumbnail file={'file' in upload ? upload.file : null} img={img} />
      <div className={styles.text}>
        <TextField
          label={say('itemForm.img')}
          hint={say('picture.hint')}
          {...form.field('img')}
          type="url"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          onInput={clear}
        />
        <div className={styles.actions}>
          <Button ref={chooseButton} size="s" onClick={() => files.current?.click()}>
            <Icon of={ImageUp} size={18} />
            {say(hasPicture ? 'picture.chooseAnother' : 'picture.choose')}
          </Button>
          <Button size="s" className={styles.camera} onClick={() => camera.current?.click()}>
            <Icon of={Camera} size={18} />
            {say('picture.camera')}
          </Button>
          {hasPicture && (
            <Button size="s" look="plain" onClick={remove}>
              <Icon of={Trash} size={18} />
              {say('picture.remove')}
            </Button>
          )}
        </div>
        {upload.state === 'sending' && <Sending part={upload.part} onCancel={cancel} />}
        <p role="status" className={styles.said}>
          {upload.state === 'kept' && upload.picture.img === img && say('picture.uploaded', upload.picture)}
        </p>
        {upload.state === 'failed' && (
          <div role="alert" className={styles.failed}>
            <span>{upload.text}</span>
            {upload.file && <Retry file={upload.file} take={take} />}
          </div>
        )}
      </div>
      <p className={styles.drop} aria-hidden="true">
        {say('picture.drop')}
      </p>
      <input ref={files} type="file" accept={ACCEPTED} hidden onChange={({ target }) => chosen(target)} />
      <input
        ref={camera}
        type="file"
        accept={ACCEPTED}
        capture="environment"
        hidden
        onChange={({ target }) => chosen(target)}
      />
    </div>
  );
}

function Retry({ file, take }: { file: Blob; take: (file: Blob) => void }) {
  const { say } = useWords();
  return (
    <Button size="s" onClick={() => take(file)}>
      {say('picture.again')}
    </Button>
  );
}

/** Once all of it has been sent, the server draws it anew; nobody knows how long that takes. */
function Sending({ part, onCancel }: { part: number; onCancel: () => void }) {
  const { say } = useWords();
  const isSent = part >= 1;
  const label = say(isSent ? 'picture.preparing' : 'picture.sending');
  return (
    <div className={styles.sending}>
      <p className={styles.said} role="status">
        {label}
      </p>
      <span className={styles.percent}>{!isSent && say('picture.percent', { percent: Math.round(part * 100) })}</span>
      <Progress label={label} {...(!isSent && { value: part })} />
      <Button size="s" look="plain" onClick={onCancel}>
        {say('picture.cancel')}
      </Button>
    </div>
  );
}

/** The file at once, while it is on its way; then what is kept of it. */
function Thumbnail({ file, img }: { file: Blob | null; img: string }) {
  const local = useLocalAddress(file);
  const address = img.trim();
  const src = local ?? (fieldError('img', address) ? '' : address);
  return (
    <div className={styles.stage}>
      <Picture src={src} alt="" width={96} height={120} eager className={styles.picture} />
    </div>
  );
}

function useLocalAddress(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      URL.revokeObjectURL(made);
      setAddress(null);
    };
  }, [file]);
  return address;
}

function useDropZone(take: (file: Blob) => void) {
  const [over, setOver] = useState(false);
  // A file dropped beside the field would otherwise take the place of the whole page.
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
  return {
    over,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      take(file);
    },
  };
}

/** A picture in the clipboard can be pasted anywhere on the page, except where its text was meant. */
function usePastedPicture(take: (file: Blob) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    const isInText = target instanceof HTMLElement && target.matches('input, textarea');
    if (!file || (isInText && clipboardData?.types.includes('text/plain'))) return;
    event.preventDefault();
    take(file);
  });
  useEffect(() => {
    const hear = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', hear);
    return () => document.removeEventListener('paste', hear);
  }, []);
}
