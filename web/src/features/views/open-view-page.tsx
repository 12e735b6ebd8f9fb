import { pathOf } from '@perfume/contract/page-paths';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadingView } from '../../ui/loading-view.tsx';
import { Navigate, useParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { viewLink } from './view-link.ts';
import { viewsQuery } from './views-query.ts';

/** The page at /dashboard/saved/:id, the link of a view: it opens what the view shows today. */
export function OpenViewPage() {
  const { say } = useWords();
  const { id = '' } = useParams(pathOf.view);
  const { data, error, isFetching, refetch } = useQuery(viewsQuery);
  const view = data?.find((one) => one.id === id.toLowerCase());
  if (view) return <Navigate to={viewLink(view)} />;
  // A list that is being read again may have a view that was saved or shared just now.
  if (isFetching || (!data && !error)) return <LoadingView text={say('Loading...')} stay={say('loading.stay')} />;
  return (
    <EmptyState text={say(data ? 'views.notFound' : 'views.failed')} alert>
      {data ? (
        <LinkButton to={paths.saved}>{say('views.all')}</LinkButton>
      ) : (
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      )}
    </EmptyState>
  );
}
