import { pictureTypes } from '@perfume/domain/pictures';
import { Camera, ImageUp, Trash } from 'lucide-react';
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useWords } from '../../words/words.tsx';
import { fieldError } from './item-fields.ts';
import styles from './picture-field.module.css';
import type { ItemFormState } from './use-item-form.ts';
import { usePictureUpload } from './use-picture-upload.ts';

const ACCEPTED = pictureTypes.join(',');

/** A field for the picture of an item: a URL, or a file that is chosen, dropped, pasted or photographed. */
export function PictureField({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const { upload, start, clear } = usePictureUpload({
    onStored: ({ imageUrl }) => form.setValues({ imageUrl }),
    onUploading: form.waitFor,
  });
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const { imageUrl } = form.texts;
  const { over, ...zone } = useDropZone(start);
  usePastedPicture(start);

  function chosen(input: HTMLInputElement) {
    const [file] = input.files ?? [];
    if (file) start(file);
    // Without this, choosing the same file again would not fire a change event.
    input.value = '';
  }

  function cancel() {
    clear();
    chooseButton.current?.focus();
  }

  function remove() {
    clear();
    form.setValues({ imageUrl: '' });
    form.focus('imageUrl');
  }

  const hasPicture = imageUrl.trim() !== '';
  return (
    <div {...zone} className={styles.zone} data-over={over || undefined}>
      <Thumbnail file={'file' in upload ? upload.file : null} imageUrl={imageUrl} />
      <div className={styles.text}>
        <TextField
          label={say('itemForm.imageUrl')}
          hint={say('picture.hint')}
          {...form.field('imageUrl')}
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
        {upload.state === 'sending' && <Sending fraction={upload.fraction} onCancel={cancel} />}
        <p role="status" className={styles.said}>
          {upload.state === 'stored' && upload.picture.imageUrl === imageUrl && say('picture.uploaded', upload.picture)}
        </p>
        {upload.state === 'failed' && (
          <div role="alert" className={styles.failed}>
            <span>{upload.text}</span>
            {upload.file && <Retry file={upload.file} onRetry={start} />}
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

function Retry({ file, onRetry }: { file: Blob; onRetry: (file: Blob) => void }) {
  const { say } = useWords();
  return (
    <Button size="s" onClick={() => onRetry(file)}>
      {say('picture.again')}
    </Button>
  );
}

/**
 * The progress of an upload. After the last byte, the server re-encodes the picture; how long that takes is unknown.
 */
function Sending({ fraction, onCancel }: { fraction: number; onCancel: () => void }) {
  const { say } = useWords();
  const isSent = fraction >= 1;
  const label = say(isSent ? 'picture.preparing' : 'picture.sending');
  return (
    <div className={styles.sending}>
      <p className={styles.said} role="status">
        {label}
      </p>
      <span className={styles.percent}>
        {!isSent && say('picture.percent', { percent: Math.round(fraction * 100) })}
      </span>
      <Progress label={label} {...(!isSent && { value: fraction })} />
      <Button size="s" look="plain" onClick={onCancel}>
        {say('picture.cancel')}
      </Button>
    </div>
  );
}

/** Shows the local file during the upload, then the stored picture. */
function Thumbnail({ file, imageUrl }: { file: Blob | null; imageUrl: string }) {
  const local = useObjectUrl(file);
  const address = imageUrl.trim();
  const src = local ?? (fieldError('imageUrl', address) ? '' : address);
  return (
    <div className={styles.stage}>
      <Picture src={src} alt="" width={96} height={120} eager className={styles.picture} />
    </div>
  );
}

function useObjectUrl(file: Blob | null): string | null {
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

function useDropZone(onFile: (file: Blob) => void) {
  const [over, setOver] = useState(false);
  // Without this, the browser would navigate to a file dropped next to the field.
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
      onFile(file);
    },
  };
}

/** Accepts a picture pasted anywhere on the page, except into a text field when the clipboard also has text. */
function usePastedPicture(onFile: (file: Blob) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const file = [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    const isInText = target instanceof HTMLElement && target.matches('input, textarea');
    if (!file || (isInText && clipboardData?.types.includes('text/plain'))) return;
    event.preventDefault();
    onFile(file);
  });
  useEffect(() => {
    const hear = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', hear);
    return () => document.removeEventListener('paste', hear);
  }, []);
}
