import { FileUp } from 'lucide-react';
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { isTextField } from '../../ui/keyboard/shortcuts.ts';
import { Progress } from '../../ui/progress.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { openArchive } from './archive.ts';
import styles from './choose-file.module.css';
import { fileErrorText } from './import-texts.ts';
import { sendImport, sendPictures } from './imports-query.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const EXAMPLE =
  '\ufeffname,supplier,sku,barcode,quantity,price,reorder point,description\r\n' +
  'Iris de Craie 50 ml,Maison Opale,IRIS-50,4006381333931,24,148.00,6,"Powdery iris over chalk and white musk, dry and quiet, for the office."\r\n';

type Sending = { name: string; sent: number; cancel: () => void };

/** A place to drop, choose or paste what is to be imported. */
export function ChooseFile() {
  const words = useWords();
  const { say } = words;
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);

  async function send(file: Blob, name: string): Promise<void> {
    if (sending) return;
    setFailure(null);
    // A large archive is sent in parts.
    const archive = file.size > MAX_BYTES ? await openArchive(file) : null;
    const table = archive?.items ?? file;
    if (table.size > MAX_BYTES) return setFailure(say('import.tooLarge'));
    const abort = new AbortController();
    const cancel = () => abort.abort();
    setSending({ name, sent: 0, cancel });
    try {
      const options = { signal: abort.signal, onSent: (sent: number) => setSending({ name, sent, cancel }) };
      if (archive) await sendPictures(archive, options);
      const { id } = await sendImport(table, name, options);
      navigate(paths.importFile(id));
    } catch (problem) {
      if (!abort.signal.aborted) setFailure(`${say('import.notRead', { name })} ${fileErrorText(problem, words)}`);
    } finally {
      setSending(null);
    }
  }

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTextField(event.target)) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) void send(file, file.name);
    // One line is no table, but something that was pasted by mistake.
    else if (text.trim().includes('\n')) void send(new Blob([text]), say('import.pasted'));
  });
  useEffect(() => {
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) void send(file, file.name);
  }

  return (
    <section
      aria-label={say('import.choose')}
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Icon of={FileUp} size={32} />
      {sending ? (
        <div className={styles.sending} role="status">
          <p>{say(sending.sent < 1 ? 'import.sending' : 'import.reading', { name: sending.name })}</p>
          <Progress
            label={say('import.sending', { name: sending.name })}
            {...(sending.sent < 1 && { value: sending.sent })}
          />
          <Button onClick={sending.cancel}>{say('import.cancel')}</Button>
        </div>
      ) : (
        <>
          <p className={styles.title}>{say('import.drop')}</p>
          <Button look="primary" onClick={() => input.current?.click()}>
            {say('import.choose')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,.xlsx,.zip,text/csv"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void send(file, file.name);
              currentTarget.value = '';
            }}
          />
          <p className={styles.hint}>{say('import.paste')}</p>
        </>
      )}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      <p className={styles.hint}>
        {say('import.limits')}{' '}
        <button
          type="button"
          className={styles.example}
          onClick={() => download(new Blob([EXAMPLE], { type: 'text/csv' }), 'example.csv')}
        >
          {say('import.example')}
        </button>
      </p>
    </section>
  );
}
