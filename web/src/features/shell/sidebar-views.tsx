import type { WireView } from '@perfume/contract/views';
import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { useSearchParams } from '../../ui/router.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import { useViewCount } from '../views/view-count.ts';
import { VIEW, viewLink } from '../views/view-link.ts';
import { byName, viewsQuery } from '../views/views-query.ts';
import links from './sidebar-links.module.css';
import styles from './sidebar-views.module.css';

/** More would hide the links of the sidebar, and each is counted after every change. */
const MAX_PINNED = 20;

type SidebarViewsProps = { expanded: boolean; onDone?: () => void };

/** The pinned views with how many items each shows now: the own ones first, then those that others share. */
export function SidebarViews({ expanded, onDone }: SidebarViewsProps) {
  const { say, locale } = useWords();
  const { data = [] } = useQuery(viewsQuery);
  const pinned = data.filter((view) => view.pinned).slice(0, MAX_PINNED);
  if (pinned.length === 0) return null;
  return (
    <ul className={`${links.links} ${styles.views}`} aria-label={say('sidebar.pinned')}>
      {pinned.toSorted(byName(locale)).map((view) => (
        <li key={view.id}>
          <ViewLink view={view} expanded={expanded} onDone={onDone} />
        </li>
      ))}
    </ul>
  );
}

type ViewLinkProps = { view: WireView; expanded: boolean; onDone: (() => void) | undefined };

function ViewLink({ view, expanded, onDone }: ViewLinkProps) {
  const { dir, number } = useWords();
  const [params] = useSearchParams();
  const count = useViewCount(view);
  const isOpen = params.get(VIEW) === view.id;
  const link = (
    // The page has a link of its own in the sidebar, which is the current one.
    <Link to={viewLink(view)} className={links.link} aria-current={isOpen || undefined} onClick={onDone}>
      <Icon of={Bookmark} />
      <span className={expanded ? styles.name : 'visually-hidden'}>
        <bdi>{view.name}</bdi>
      </span>
      {count !== undefined && (
        <span className={expanded ? styles.count : 'visually-hidden'}>
          <LiveNumber value={count} format={number} />
        </span>
      )}
    </Link>
  );
  if (expanded) return link;
  return (
    <Tooltip
      text={count === undefined ? view.name : `${view.name}: ${number(count)}`}
      side={dir === 'rtl' ? 'left' : 'right'}
    >
      {link}
    </Tooltip>
  );
}
