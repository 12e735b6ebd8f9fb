import type { Item } from '@perfume/domain/items';
import { useEffect, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ownerName } from '../../api/session.ts';
import { keepItem } from '../../live/item-cache.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { useScanner } from '../../ui/keyboard/use-scanner.ts';
import { useNavigate } from '../../ui/router.tsx';
import { prepareToasts } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { CameraScanner } from '../codes/camera-scanner.tsx';
import { OnlyFor } from '../items/only-for.tsx';
import { attachCode } from './attach-code.ts';
import { book } from './book.ts';
import { countOne, startCount, useCountDraft } from './count-draft.ts';
import { CountPanel } from './count-panel.tsx';
import { FeedbackToggles } from './feedback-toggles.tsx';
import { type FloorMode, isBooking, useFloorMode } from './floor-mode.ts';
import styles from './floor-page.module.css';
import { ItemRows } from './item-rows.tsx';
import { removeEntry, type Scanned } from './journal.ts';
import { JournalList } from './journal-list.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { scanAgain, scanCode } from './scan.ts';
import { useFloorRows } from './use-floor-rows.ts';
import { useSearchText } from './use-search-text.ts';

type UnknownScan = Scanned & { key: number };

/** The screen for work between the shelves: scan after scan, or tap after tap, with one thumb. */
export function FloorPage() {
  return (
    <OnlyFor action="moveStock">
      <Floor />
    </OnlyFor>
  );
}

function Floor() {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const navigate = useNavigate();
  const [mode, setMode] = useFloorMode();
  const search = useSearchText();
  const rows = useFloorRows(search.q);
  const field = useRef<HTMLInputElement>(null);
  const [attaching, setAttaching] = useState<UnknownScan | null>(null);
  const draft = useCountDraft(user ? ownerName(user) : '');
  const counting = mode === 'count' ? draft : null;

  function act(item: Item, by: FloorMode, scanKey?: number): void {
    keepItem(item);
    if (isBooking(by)) {
      book(item, by, { scanKey });
      return;
    }
    if (scanKey !== undefined) removeEntry(scanKey);
    if (by === 'find') navigate(paths.item(item.id));
    else if (scanKey === undefined) startCount(item);
    else countOne(item);
  }

  function scan(code: string): void {
    setAttaching(null);
    scanCode(code, mode, (item, scanKey) => act(item, mode, scanKey));
  }
  useScanner(scan);
  useEffect(() => void prepareToasts().catch(() => {}), []);

  function tap(item: Item): void {
    if (attaching) void attachTo(item, attaching);
    else act(item, mode);
    if (search.text === '') return;
    search.clear();
    // The next item can be typed at once.
    field.current?.focus();
  }

  /** Enter takes the only result of a search. Without one, the text is a code that could not be scanned. */
  function enter(): void {
    const [only, second] = rows.items;
    const isCode = /^\S*\d\S*$/.test(search.text.trim());
    const isOnlyResult = search.isSettled && search.q !== '' && rows.state === 'ready' && !second;
    if (only && isOnlyResult) tap(only);
    else if (isCode && !attaching) {
      scan(search.text.trim());
      search.clear();
    }
  }

  async function attachTo(item: Item, { key, code, mode: by }: UnknownScan): Promise<void> {
    setAttaching(null);
    const attached = await attachCode(item, code, words);
    if (attached) act(attached, by, key);
  }

  function startAttaching(scan: UnknownScan): void {
    setAttaching(scan);
    field.current?.focus();
  }

  return (
    <div className={styles.page} data-mode={mode}>
      <header className={styles.head}>
        <h1 className={styles.title}>{say('sidebar.floor')}</h1>
        <FeedbackToggles />
      </header>
      <div className={styles.input}>
        <ModeChoice mode={mode} onChoose={setMode} />
        <CameraScanner onCode={scan} />
      </div>
      <div className={styles.output}>
        {counting && <CountPanel key={counting.item.id} draft={counting} />}
        {mode === 'count' && !counting && (
          <LinkButton to={paths.counts} look="plain" size="s">
            {say('floor.countTogether')}
          </LinkButton>
        )}
        <JournalList
          mode={mode}
          hasStart={counting === null}
          actions={{
            attach: startAttaching,
            lookUpAgain: (scan) => scanAgain(scan.key, scan, (item, key) => act(item, scan.mode, key)),
            countIt: (item, counted) => {
              setMode('count');
              startCount(item, counted?.toString());
            },
            receiveIt: (item) => book(item, 'receive'),
          }}
        />
      </div>
      <div className={styles.items}>
        {attaching && <Attaching code={attaching.code} onCancel={() => setAttaching(null)} />}
        <SearchField
          ref={field}
          label={say('floor.search')}
          placeholder={say('floor.placeholder')}
          value={search.text}
          enterKeyHint="search"
          onChange={({ target }) => search.type(target.value)}
          onKeyDown={({ key }) => key === 'Enter' && enter()}
        />
        <ItemRows rows={rows} q={search.q} action={attaching ? 'attach' : mode} onTap={tap} />
      </div>
    </div>
  );
}

function Attaching({ code, onCancel }: { code: string; onCancel: () => void }) {
  const { say } = useWords();
  return (
    <div className={styles.attaching} role="status">
      <p>{say('floor.attaching', { code })}</p>
      <Button size="s" onClick={onCancel}>
        {say('delete.cancel')}
      </Button>
    </div>
  );
}
