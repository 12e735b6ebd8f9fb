import { type ComponentProps, type ComponentType, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ItemPage } from '../../api/boot.ts';
import { usePartFailed } from '../../parts/part-failed.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyShelf } from '../../ui/empty-shelf.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemCard } from './item-card.tsx';
import styles from './item-grid.module.css';
import { type PublicItems, usePublicItems } from './public-items.ts';

const loadDetails = async () => (await import('./item-details.tsx')).ItemDetails;
type Details = ComponentType<ComponentProps<Awaited<ReturnType<typeof loadDetails>>>>;
const near = () => void loadDetails().catch(() => {});

export function ItemGrid({ first }: { first: ItemPage | null }) {
  const [search, setSearch] = useSearchParams();
  const q = search.get('q')?.trim() ?? '';
  const { shelf, retry, loadMore } = usePublicItems(q, first);
  return (
    <>
      <GridHead q={q} shelf={shelf} onClear={() => setSearch({}, { preventScrollReset: true })} />
      <GridBody q={q} shelf={shelf} onRetry={retry} onMore={loadMore} />
    </>
  );
}

function GridHead({ q, shelf, onClear }: { q: string; shelf: PublicItems; onClear: () => void }) {
  const { say } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button goes with the search: whoever works with keys goes on at the top of what is found.
  const clear = () => {
    heading.current?.focus({ preventScroll: true });
    onClear();
  };
  const total = shelf.state === 'ready' ? shelf.total : null;
  return (
    <div className={styles.head}>
      <h2 id="items-heading" ref={heading} tabIndex={-1}>
        {say('grid.heading')}
      </h2>
      <p className={styles.count} role="status">
        {total !== null && (q === '' ? say('grid.count', { count: total }) : say('grid.results', { count: total, q }))}
      </p>
      {q !== '' && (
        <Button size="s" look="plain" onClick={clear}>
          {say('grid.clear')}
        </Button>
      )}
    </div>
  );
}

type GridBodyProps = { q: string; shelf: PublicItems; onRetry: () => void; onMore: () => void };

function GridBody({ q, shelf, onRetry, onMore }: GridBodyProps) {
  const { say } = useWords();
  const partFailed = usePartFailed();
  const [open, setOpen] = useState<string | null>(null);
  const [Details, setDetails] = useState<Details | null>(null);
  const openItem = (id: string) => {
    setOpen(id);
    loadDetails().then((loaded) => setDetails(() => loaded), partFailed);
  };
  if (shelf.state === 'loading') {
    return (
      <div className={styles.waiting}>
        <Spinner large label={say('Loading...')} />
      </div>
    );
  }
  if (shelf.state === 'failed') {
    return (
      <EmptyShelf text={say('grid.failed')} alert>
        {shelf.offline && <p>{say('problem.offline')}</p>}
        <Button onClick={onRetry}>{say('part.retry')}</Button>
      </EmptyShelf>
    );
  }
  if (shelf.items.length === 0) {
    return q === '' ? (
      <EmptyShelf text={say('grid.empty')}>
        <LinkButton to={paths.addItem}>{say('grid.addFirst')}</LinkButton>
      </EmptyShelf>
    ) : (
      <EmptyShelf text={say('grid.nothingFound', { q })} />
    );
  }
  const opened = shelf.items.find(({ id }) => id === open);
  return (
    <>
      <ul className={styles.grid} aria-labelledby="items-heading">
        {shelf.items.map((item) => (
          <li key={item.id}>
            <ItemCard item={item} onOpen={() => openItem(item.id)} onNear={near} />
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        {shelf.next !== null && (
          <>
            <p className={styles.shown}>{say('grid.shown', { shown: shelf.items.length, total: shelf.total })}</p>
            <Button onClick={onMore} busy={shelf.more === 'loading'}>
              {say('grid.more')}
            </Button>
            {shelf.more === 'failed' && (
              <p role="alert" className={styles.failed}>
                {say('grid.failed')}
              </p>
            )}
          </>
        )}
        <LinkButton to={paths.manageInventory} look="plain">
          {say('grid.manage')}
        </LinkButton>
      </div>
      {opened && Details && <Details item={opened} onClose={() => setOpen(null)} />}
    </>
  );
}
