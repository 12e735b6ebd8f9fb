import { useRef } from 'react';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { useScanner } from '../../ui/keyboard/use-scanner.ts';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { findScanned } from '../codes/find-by-code.ts';

/** Opens the item whose code a hand scanner reads, on every page that does nothing else with it. */
export function OpenScanned() {
  const words = useWords();
  const { say } = words;
  const navigate = useNavigate();
  const may = useMay();
  const last = useRef(0);

  async function open(code: string): Promise<void> {
    const scan = ++last.current;
    const found = await findScanned(code);
    // A code that was scanned meanwhile is the one to open.
    if (scan !== last.current) return;
    if (found.item) return navigate(paths.item(found.item.id));
    if (found.expected !== null) {
      const hint = say('scan.wrongDigit.hint', { expected: found.expected });
      return notify({ kind: 'error', id: 'scan', text: `${say('scan.wrongDigit', { code })}. ${hint}` });
    }
    const addNew = () => navigate(`${paths.addItem}?${new URLSearchParams({ code })}`);
    notify({
      kind: 'error',
      id: 'scan',
      text: say('scan.unknown', { code }),
      ...(may('changeItems') && { action: { text: say('scan.addNew'), run: () => void addNew() } }),
    });
  }

  useScanner((code) => {
    open(code).catch((problem) => {
      const text = `${say('scan.lookupFailed', { code })}. ${problemText(problem, words)}`;
      notify({ kind: 'error', id: 'scan', text });
    });
  });
  return null;
}
