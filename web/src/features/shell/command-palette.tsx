import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/keyboard/kbd.tsx';
import { Palette, type PaletteGroup } from '../../ui/palette.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './command-palette.module.css';
import { type Command, useCommands, useItemCommand, useRememberedItem } from './palette-commands.tsx';
import { paletteItemsQuery } from './palette-items.ts';
import { matches } from './palette-matching.ts';
import { recentCommands, rememberCommand } from './recent-commands.ts';
import { PALETTE_KEYS } from './shell-shortcuts.ts';

const DEBOUNCE_MS = 120;

type CommandPaletteProps = { onClose: () => void; openHelp: () => void };

/** A dialog that finds items and pages and runs actions, on every page of the dashboard. */
export function CommandPalette({ onClose, openHelp }: CommandPaletteProps) {
  const { say } = useWords();
  const { user } = useBoot();
  const owner = user?.id ?? '';
  const [text, setText] = useState('');
  const typed = text.trim();
  const items = useFoundItems(typed);
  const groups = useGroups(owner, typed, items.commands, openHelp);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);

  function choose(command: Command) {
    if (!command.once) rememberCommand(owner, command);
    onClose();
    command.run();
  }

  const onEarlyEnter = useEarlyEnter(
    typed,
    items.settled ? groups.find(({ options }) => options.length > 0)?.options[0] : null,
    choose,
  );

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
        visible={count === 0 && !items.failed}
        busy={!items.settled && !items.failed}
        text={count === 0 ? say('palette.nothing', { q: typed }) : say('palette.found', { count })}
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
function useFoundItems(typed: string) {
  const toCommand = useItemCommand();
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery(paletteItemsQuery(searched));
  const current = searched === typed && !isPlaceholderData;
  const found = typed === '' || isError ? [] : (data?.items ?? []);
  const fits = ({ name, supplierName }: Item) => current || matches(`${name} ${supplierName}`, typed);
  const byName = Map.groupBy(found.filter(fits), ({ name }) => matches(name, typed));
  return {
    // Matches by name come before matches by supplier.
    commands: [...(byName.get(true) ?? []), ...(byName.get(false) ?? [])].map((item) => toCommand(item)),
    settled: typed === '' || (current && data !== undefined),
    failed: typed !== '' && searched === typed && isError && !isFetching,
    retry: () => void refetch(),
  };
}

/**
 * Returns the groups of options. Pages and actions come first: they are there at once, so items that are found later do
 * not move them.
 */
function useGroups(owner: string, typed: string, items: Command[], openHelp: () => void): PaletteGroup<Command>[] {
  const { say } = useWords();
  const { pages, actions } = useCommands(openHelp);
  const remembered = useRememberedItem();
  const known = [...pages, ...actions];
  const fits = ({ text, also = '' }: Command) => matches(text, typed) || (also !== '' && matches(also, typed));
  const recent = recentCommands(owner)
    .map(({ key, text }) => known.find((one) => one.key === key) ?? remembered(key, text))
    .filter((one) => one !== null);
  const isRecent = ({ key }: Command) => recent.some((one) => one.key === key);
  if (typed === '') {
    return [
      { heading: say('palette.recent'), options: recent },
      { heading: say('palette.pages'), options: pages.filter((one) => !isRecent(one)) },
      { heading: say('palette.actions'), options: actions.filter((one) => !isRecent(one)) },
    ];
  }
  return [
    { heading: say('palette.pages'), options: pages.filter(fits) },
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
