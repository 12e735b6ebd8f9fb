import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import { Palette, type PaletteGroup } from '../../ui/palette.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import styles from './command-palette.module.css';
import {
  type Command,
  useCommands,
  useItemCommand,
  useRememberedItem,
  useStockCommand,
  useTypedCommand,
  useVerbStarts,
  useViewCommands,
} from './palette-commands.tsx';
import { MAX_CANDIDATES, MAX_RESULTS, paletteItemsQuery } from './palette-items.ts';
import { matches } from './palette-matching.ts';
import { recentCommands, rememberCommand } from './recent-commands.ts';
import { PALETTE_KEYS } from './shell-shortcuts.ts';
import type { StockCommand } from './typed-command.ts';

const DEBOUNCE_MS = 120;

type CommandPaletteProps = { onClose: () => void; openHelp: () => void };

/** A dialog that finds items and pages and runs actions, on every page of the dashboard. */
export function CommandPalette({ onClose, openHelp }: CommandPaletteProps) {
  const { say } = useWords();
  const { user } = useBoot();
  const owner = user?.id ?? '';
  const [text, setText] = useState('');
  const typed = text.trim();
  const command = useTypedCommand(typed);
  const stock = command && command.verb !== 'open' ? command : null;
  // "open settings" looks for the same as "settings".
  const q = command ? command.q : typed;
  const items = useFoundItems(stock?.units === null ? '' : q, stock);
  const groups = useGroups({ owner, q, isStock: stock !== null, items: items.commands, openHelp, setText });

  function choose(command: Command) {
    if (!command.once) rememberCommand(owner, command);
    if (!command.staysOpen) onClose();
    command.run();
  }

  const options = groups.flatMap((group) => group.options);
  const [first] = options;
  // Of several items that a delivery could mean, nobody has seen the first one yet.
  const isClear = items.settled && !first?.disabled && (!stock || options.length === 1);
  const onEarlyEnter = useEarlyEnter(typed, isClear ? first : null, choose);

  return (
    <Palette
      title={say('palette.title')}
      listLabel={say('palette.results')}
      placeholder={say('palette.placeholder')}
      closeLabel={say('dialog.close')}
      keys={PALETTE_KEYS}
      text={text}
      onText={setText}
      groups={groups}
      onChoose={choose}
      onEarlyEnter={onEarlyEnter}
      onClose={onClose}
      foot={<Hints />}
    >
      {items.failed && (
        <div className={styles.failed} role="alert">
          <p>{say('palette.failed')}</p>
          <Button size="s" onClick={items.retry}>
            {say('retry')}
          </Button>
        </div>
      )}
      <SearchStatus
        visible={options.length === 0 && !items.failed}
        busy={!items.settled && !items.failed}
        text={
          stock && (stock.q === '' || stock.units === null)
            ? howText(stock, say)
            : options.length === 0
              ? say('palette.nothing', { q })
              : say('palette.found', { count: options.length })
        }
      />
    </Palette>
  );
}

type SearchStatusProps = { visible: boolean; busy: boolean; text: string };

/** The state of the search. Screen readers always announce it; it is visible only when there are no results. */
function SearchStatus({ visible, busy, text }: SearchStatusProps) {
  const { say } = useWords();
  return (
    <p className={visible ? styles.state : 'visually-hidden'} role="status">
      {busy && <Spinner />}
      {busy ? say('Loading...') : text}
    </p>
  );
}

/**
 * Searches items on the server once the user pauses typing. Until then, the previous results are filtered by the new
 * text.
 */
function useFoundItems(typed: string, command: StockCommand | null) {
  const toItemCommand = useItemCommand();
  const toStockCommand = useStockCommand();
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery(
    paletteItemsQuery(searched, command ? MAX_CANDIDATES : MAX_RESULTS),
  );
  const current = searched === typed && !isPlaceholderData;
  const found = typed === '' || isError ? [] : (data?.items ?? []);
  // A search also finds words of the description, but nobody delivers an item by those.
  const fits = (item: Item) => (current && !command) || matches(namesOf(item), typed);
  const byName = Map.groupBy(found.filter(fits), ({ name }) => matches(name, typed));
  return {
    // Matches by name come before matches by supplier or code.
    commands: [...(byName.get(true) ?? []), ...(byName.get(false) ?? [])]
      .slice(0, MAX_RESULTS)
      .map((item) => (command ? toStockCommand(item, command) : toItemCommand(item))),
    settled: typed === '' || (current && data !== undefined),
    failed: typed !== '' && searched === typed && isError && !isFetching,
    retry: () => void refetch(),
  };
}

function namesOf({ name, supplierName, sku, barcodes }: Item): string {
  return [name, supplierName, sku, ...barcodes].join(' ');
}

type GroupsInput = {
  owner: string;
  q: string;
  /** The typed text is a command that changes the stock of an item: only items can follow it. */
  isStock: boolean;
  items: Command[];
  openHelp: () => void;
  setText: (text: string) => void;
};

/**
 * Returns the groups of options. Pages and actions come first: they are there at once, so items that are found later do
 * not move them.
 */
function useGroups({ owner, q: typed, isStock, items, openHelp, setText }: GroupsInput): PaletteGroup<Command>[] {
  const { say } = useWords();
  const { pages, actions: others } = useCommands(openHelp);
  const actions = [...useVerbStarts(setText), ...others];
  const views = useViewCommands();
  const remembered = useRememberedItem();
  const known = [...pages, ...views.all, ...actions];
  const fits = ({ text, also = '' }: Command) => matches(text, typed) || (also !== '' && matches(also, typed));
  const recent = recentCommands(owner)
    .map(({ key, text }) => known.find((one) => one.key === key) ?? remembered(key, text))
    .filter((one) => one !== null);
  if (isStock) return [{ heading: say('palette.items'), options: items }];
  const isRecent = ({ key }: Command) => recent.some((one) => one.key === key);
  if (typed === '') {
    return [
      { heading: say('palette.recent'), options: recent },
      { heading: say('palette.pages'), options: pages.filter((one) => !isRecent(one)) },
      { heading: say('palette.views'), options: views.pinned.filter((one) => !isRecent(one)) },
      { heading: say('palette.actions'), options: actions.filter((one) => !isRecent(one)) },
    ];
  }
  return [
    { heading: say('palette.pages'), options: pages.filter(fits) },
    { heading: say('palette.views'), options: views.all.filter(fits) },
    { heading: say('palette.actions'), options: actions.filter(fits) },
    { heading: say('palette.items'), options: items },
  ];
}

/** Remembers an Enter pressed before the results are loaded, and chooses the first result once they are. */
function useEarlyEnter(
  typed: string,
  first: Command | null | undefined,
  choose: (command: Command) => void,
): () => void {
  const [enteredText, setEnteredText] = useState<string | null>(null);
  const chooseLatest = useEffectEvent(choose);
  useEffect(() => {
    if (first && enteredText === typed) chooseLatest(first);
  }, [first, enteredText, typed]);
  return () => setEnteredText(typed);
}

/** Explains what to type after a verb, or that the number is not one. */
function howText({ verb, units }: StockCommand, say: Words['say']): string {
  if (verb === 'count') return say('palette.how.item', { example: say('palette.example.count') });
  return say(units === null ? 'palette.how.wrong' : 'palette.how.units', { example: say(`palette.example.${verb}`) });
}

function Hints() {
  const { say } = useWords();
  return (
    <>
      <span className={styles.hint}>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        {say('palette.move')}
      </span>
      <span className={styles.hint}>
        <Kbd>↵</Kbd>
        {say('palette.choose')}
      </span>
      <span className={styles.hint}>
        <Kbd>{say('key.escape')}</Kbd>
        {say('palette.close')}
      </span>
    </>
  );
}
