import type { WireEntry } from '@perfume/contract/history';
import { csvLine, UTF8_BOM } from '@perfume/domain/csv';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { download, fileName } from '../../ui/download.ts';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { type HistoryFilters, historyParams } from './history-filters.ts';
import { eachEntry } from './history-query.ts';

/** Exports every matching entry as CSV. `count` is the number written so far, or null when no export runs. */
export function useHistoryExport(filters: HistoryFilters) {
  const words = useWords();
  const [count, setCount] = useState<number | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function start(): Promise<void> {
    const { signal } = begin();
    try {
      const parts: BlobPart[] = [UTF8_BOM, HEAD];
      let written = 0;
      for await (const entries of eachEntry(historyParams(filters), signal)) {
        // Each page becomes a Blob, which the browser may keep on disk, so that a long export does not fill the memory.
        parts.push(new Blob([entries.map(csvOfEntry).join('')]));
        written += entries.length;
        setCount(written);
      }
      download(new Blob(parts, { type: 'text/csv;charset=utf-8' }), fileName(new Date(), 'history'));
      notify({ kind: 'success', id: 'history-export', text: words.say('history.exported', { count: written }) });
    } catch (problem) {
      if (signal.aborted) return;
      console.error(problem);
      notify({ kind: 'error', id: 'history-export', text: problemText(problem, words) });
    } finally {
      setCount(null);
    }
  }

  function begin(): AbortController {
    stop.current?.abort();
    stop.current = new AbortController();
    setCount(0);
    return stop.current;
  }

  return { count, start, cancel: () => stop.current?.abort() };
}

const HEAD = csvLine([
  'time',
  'kind',
  'item',
  'difference',
  'on hand',
  'person',
  'account mark',
  'changes',
  'reason',
  'note',
  'undoes',
  'undone by',
  'bulk action',
  'item id',
  'id',
]);

export function csvOfEntry(entry: WireEntry): string {
  return csvLine([
    entry.at,
    entry.undoneKind === null ? entry.kind : `${entry.kind} (${entry.undoneKind})`,
    entry.itemName ?? '',
    entry.delta ?? '',
    entry.quantityAfter ?? '',
    entry.by.name,
    entry.by.mark,
    entry.changes.map(({ field, from, to }) => `${field}: ${from ?? ''} → ${to ?? ''}`).join('\n'),
    entry.reason ?? '',
    entry.note ?? '',
    entry.undoes ?? '',
    entry.undoneBy ?? '',
    entry.batch ?? '',
    entry.itemId ?? '',
    entry.id,
  ]);
}
