import { useEffect, useRef, useState } from 'react';
import { fetchFile } from '../api/fetch-file.ts';
import { download } from '../ui/download.ts';
import { notify } from '../ui/toast.ts';
import { useWords } from '../words/words.tsx';
import { problemText } from './problem-text.ts';

/** Exports files, one at a time. `bytes` is how much of the current one has arrived, or null if there is none. */
export function useExport() {
  const words = useWords();
  const [bytes, setBytes] = useState<number | null>(null);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function start(url: string): Promise<void> {
    current.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    current.current = controller;
    setBytes(0);
    try {
      const { file, name } = await fetchFile(url, { signal, onBytes: setBytes });
      download(file, name);
      notify({ kind: 'success', id: 'export', text: words.say('export.done', { name }) });
    } catch (problem) {
      if (signal.aborted) return;
      console.error(problem);
      notify({ kind: 'error', id: 'export', text: problemText(problem, words) });
    } finally {
      if (current.current === controller) setBytes(null);
    }
  }

  return { bytes, start, cancel: () => current.current?.abort() };
}
