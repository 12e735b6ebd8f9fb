import { type ComponentProps, type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemPage } from '../../api/boot.ts';
import { useNotifyLoadFailed } from '../../lazy/load-failed.ts';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchAsYouType } from '../../ui/form/search-as-you-type.tsx';
import { useSearchParams } from '../../ui/router.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemCard } from './item-card.tsx';
import styles from './item-grid.module.css';
import { type PublicItem, type PublicItems, usePublicItems } from './public-items.ts';

const loadDetails = async () => (await import('./item-dialog.tsx')).ItemDialog;
type Details = ComponentType<ComponentProps<Awaited<ReturnType<typeof loadDetails>>>>;
const near = () => void loadDetails().catch(() => {});

type ItemGridProps = {
  first: ItemPage | null;
  /** The slug of the house whose items are shown; without one, the items of all houses. */
  house?: string;
  /** Called when visitors no longer see the house. */
  onGone?: () => void;
};

export function ItemGrid({ first, house, onGone }: ItemGridProps) {
  const [search, setSearch] = useSearchParams();
  const q = search.get('q')?.trim() ?? '';
  const { list, retry, loadMore } = usePublicItems(q, first, house ?? null);
  const noticeGone = useEffectEvent(() => onGone?.());
  useEffect(() => {
    if (list.state === 'gone') noticeGone();
  }, [list.state]);
  const searchFor = (text: string, replace: boolean) =>
    setSearch(() => new URLSearchParams(text === '' ? {} : { q: text }), { replace });
  return (
    <>
      <GridHead
        q={q}
        house={house}
        list={list}
        onSearch={(text) => searchFor(text, true)}
        onClear={() => searchFor('', false)}
      />
      <GridBody list={list} isOfHouse={house !== undefined} onRetry={retry} onMore={loadMore} />
    </>
  );
}

type GridHeadProps = {
  q: string;
  house: string | undefined;
  list: PublicItems;
  onSearch: (q: string) => void;
  onClear: () => void;
};

function GridHead({ q, house, list, onSearch, onClear }: GridHeadProps) {
  const { say } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that clears the search disappears, so keyboard focus moves to the heading.
  const clear = () => {
    heading.current?.focus({ preventScroll: true });
    onClear();
  };
  return (
    <div className={styles.head}>
      <h2 id="items-heading" ref={heading} tabIndex={-1} className={house && styles.second}>
        {say('grid.heading')}
      </h2>
      <p className={styles.count} role="status">
        {list.state === 'ready' &&
          (list.q === ''
            ? say('grid.count', { count: list.total })
            : say('grid.results', { count: list.total, q: list.q }))}
      </p>
      {q !== '' && (
        <Button size="s" look="plain" onClick={clear}>
          {say('grid.clear')}
        </Button>
      )}
      <search className={styles.search}>
        <form action={house === undefined ? paths.home : paths.house(house)}>
          <SearchAsYouType
            q={q}
            onSearch={onSearch}
            onDown={focusFirstCard}
            name="q"
            label={say('grid.search')}
            placeholder={say('grid.search')}
          />
        </form>
      </search>
    </div>
  );
}

function focusFirstCard(): void {
  document.querySelector<HTMLElement>('#items-grid button')?.focus();
}

type GridBodyProps = { list: PublicItems; isOfHouse: boolean; onRetry: () => void; onMore: () => void };

function GridBody({ list, isOfHouse, onRetry, onMore }: GridBodyProps) {
  const { say } = useWords();
  const mayAdd = useMay()('changeItems');
  const notifyLoadFailed = useNotifyLoadFailed();
  const [open, setOpen] = useState<string | null>(null);
  const [Details, setDetails] = useState<Details | null>(null);
  const openItem = (id: string) => {
    setOpen(id);
    loadDetails().then((loaded) => setDetails(() => loaded), notifyLoadFailed);
  };
  if (list.state === 'loading' || list.state === 'gone') {
    return (
      <div className={styles.waiting}>
        <Spinner large label={say('Loading...')} />
      </div>
    );
  }
  if (list.state === 'failed') {
    return (
      <EmptyState text={say('grid.failed')} alert>
        {list.offline && <p>{say('problem.offline')}</p>}
        <Button onClick={onRetry}>{say('retry')}</Button>
      </EmptyState>
    );
  }
  if (list.items.length === 0) {
    if (list.q !== '') return <EmptyState text={say('grid.nothingFound', { q: list.q })} />;
    if (isOfHouse) return <EmptyState text={say('house.empty')} />;
    return (
      <EmptyState text={say('grid.empty')}>
        {mayAdd && <LinkButton to={paths.addItem}>{say('grid.addFirst')}</LinkButton>}
      </EmptyState>
    );
  }
  const opened = list.items.find(({ id }) => id === open);
  // On the page of a house its name is above the items.
  const houseOf = (item: PublicItem) => (isOfHouse ? null : item.house);
  return (
    <>
      <ul id="items-grid" className={styles.grid} aria-labelledby="items-heading" aria-busy={list.waiting || undefined}>
        {list.items.map((item) => (
          <li key={item.id}>
            <ItemCard item={item} house={houseOf(item)} onOpen={() => openItem(item.id)} onNear={near} />
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {list.next !== null && (
          <>
            <p className={styles.shown}>{say('grid.shown', { shown: list.items.length, total: list.total })}</p>
            <Button onClick={onMore} busy={list.more === 'loading'}>
              {say('grid.more')}
            </Button>
            {list.more === 'failed' && (
              <p role="alert" className={styles.failed}>
                {say('grid.failed')}
              </p>
            )}
          </>
        )}
        {!isOfHouse && (
          <LinkButton to={paths.manageInventory} look="plain">
            {say('grid.manage')}
          </LinkButton>
        )}
      </div>
      {opened && Details && <Details item={opened} house={houseOf(opened)} onClose={() => setOpen(null)} />}
    </>
  );
}
