import { pathOf } from '@perfume/contract/page-paths';
import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingView } from '../../ui/loading-view.tsx';
import { useLocation, useParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemGrid } from '../items/item-grid.tsx';
import styles from './house-page.module.css';
import { NotFoundPage } from './not-found-page.tsx';
import section from './section.module.css';

/** The public page of a house: its name and its items. */
export function HousePage() {
  const { slug = '' } = useParams(pathOf.house);
  return <House key={slug} slug={slug} />;
}

function House({ slug }: { slug: string }) {
  const { say } = useWords();
  const { house, items, retry, setGone } = useHouse(slug);
  const title = house && say('house.title', { name: house.name });
  useEffect(() => {
    if (house !== undefined) document.title = title ?? say('title.notFound');
  }, [house, title, say]);
  if (house === null) return <NotFoundPage />;
  if (house === undefined) {
    return retry ? (
      <EmptyState text={say('part.failed')} alert>
        <Button onClick={retry}>{say('retry')}</Button>
      </EmptyState>
    ) : (
      <LoadingView text={say('Loading...')} stay={say('loading.stay')} />
    );
  }
  return (
    <div className={section.page}>
      <header className={styles.head}>
        <p className={section.eyebrow}>{say('card.house')}</p>
        <h1>
          <bdi>{house.name}</bdi>
        </h1>
      </header>
      <section aria-labelledby="items-heading">
        <ItemGrid first={items} house={slug} onGone={setGone} />
      </section>
    </div>
  );
}

/** The house is undefined while it loads, and null if visitors see no such house. It comes with the HTML of its page. */
function useHouse(slug: string) {
  const boot = useBoot();
  const { pathname } = useLocation();
  const first = boot.house?.pathname === pathname ? boot.house : null;
  const [house, setHouse] = useState(first?.found);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (house !== undefined || isFailed) return;
    const request = new AbortController();
    call('GET /published-houses/:slug', { params: { slug }, signal: request.signal }).then(
      ({ data }) => setHouse(data),
      (problem) => {
        if (request.signal.aborted) return;
        if (problem instanceof ApiProblem && problem.code === 'house_not_found') setHouse(null);
        else setFailed(true);
      },
    );
    return () => request.abort();
  }, [house, isFailed, slug]);
  return {
    house,
    items: first && boot.items,
    retry: isFailed ? () => setFailed(false) : null,
    setGone: () => setHouse(null),
  };
}
