import type { WireView } from '@perfume/contract/views';
import { listScope } from '@perfume/domain/views';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Mail, Pin } from 'lucide-react';
import { useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Menu, MenuAction, MenuLine } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './saved-page.module.css';
import { useIsSeen } from './use-is-seen.ts';
import { changeView, removeView } from './view-actions.ts';
import { useViewCount } from './view-count.ts';
import { ViewForm } from './view-form.tsx';
import { pageNames, viewLink } from './view-link.ts';
import { byName, viewsQuery } from './views-query.ts';

/** The page at /dashboard/saved: the own views and those that others share, with how many items each shows now. */
export function SavedPage() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(viewsQuery);
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = data?.find(({ id }) => id === editedId);
  const page = useRef<HTMLElement>(null);
  const sorted = data?.toSorted(byName(words.locale));
  const close = () => setEditedId(null);

  function remove(view: WireView) {
    void removeView(view, words);
    // The pressed button disappears with its view, so the page gets the focus.
    page.current?.focus({ preventScroll: true });
  }

  const list = (heading: string, views: WireView[] | undefined) =>
    views &&
    views.length > 0 && (
      <section className={styles.group}>
        <h2>{heading}</h2>
        <ul className={styles.list}>
          {views.map((view) => (
            <ViewRow key={view.id} view={view} onEdit={() => setEditedId(view.id)} onDelete={() => remove(view)} />
          ))}
        </ul>
      </section>
    );

  return (
    <section ref={page} className={styles.page} aria-labelledby="saved" tabIndex={-1}>
      <header>
        <h1 id="saved">{say('views.heading')}</h1>
        <p className={styles.lead}>{say('views.lead')}</p>
      </header>
      {!data && (!error || isFetching) && <Skeleton width="100%" height="10rem" />}
      {!data && error && !isFetching && (
        <EmptyState alert text={say('views.failed')}>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </EmptyState>
      )}
      {data?.length === 0 && (
        <EmptyState text={say('views.empty')}>
          <LinkButton to={paths.manageInventory} look="primary">
            {say('sidebar.manageInventory')}
          </LinkButton>
        </EmptyState>
      )}
      {list(
        say('views.own'),
        sorted?.filter(({ mine }) => mine),
      )}
      {list(
        say('views.others'),
        sorted?.filter(({ mine }) => !mine),
      )}
      {edited && (
        <ViewForm
          title={say('views.form.edit')}
          page={edited.page}
          start={edited}
          submitLabel={say('save')}
          onSubmit={async (fields) => {
            if (await changeView(edited, fields, words)) close();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

type RowProps = { view: WireView; onEdit: () => void; onDelete: () => void };

function ViewRow({ view, onEdit, onDelete }: RowProps) {
  const words = useWords();
  const { say, dir } = words;
  const { id, name, page, mine, shared, pinned, email, by } = view;
  const row = useRef<HTMLLIElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const count = useViewCount(view, useIsSeen(row));

  function copy() {
    const link = location.origin + paths.view(id);
    if (copyText(link)) notify({ kind: 'success', id, text: say('views.copied') });
    else notify({ kind: 'error', id, text: say('views.notCopied', { link }) });
  }

  return (
    <li ref={row} className={styles.view}>
      <div className={styles.main}>
        <Link to={viewLink(view)} className={styles.name}>
          <bdi>{name}</bdi>
        </Link>
        <p className={styles.facts}>
          <span>{say(pageNames[page])}</span>
          <span>{mine ? say(shared ? 'views.shared' : 'views.private') : say('views.by', { name: by.name })}</span>
          {pinned && !mine && <span>{say('views.pinned')}</span>}
        </p>
      </div>
      <p className={styles.count}>
        {count !== undefined && <LiveNumber value={count} format={(value) => say('views.items', { count: value })} />}
      </p>
      <div className={styles.actions}>
        {listScope(page) !== null && (
          <Tooltip text={say('views.form.email')}>
            <IconButton
              label={say('views.email', { name })}
              aria-pressed={email}
              onClick={() => void changeView(view, { email: !email }, words)}
            >
              <Icon of={Mail} size={18} />
            </IconButton>
          </Tooltip>
        )}
        {mine && (
          <Tooltip text={say('views.form.pin')}>
            <IconButton
              label={say('views.pin', { name })}
              aria-pressed={pinned}
              onClick={() => void changeView(view, { pinned: !pinned }, words)}
            >
              <Icon of={Pin} size={18} />
            </IconButton>
          </Tooltip>
        )}
        <Menu
          dir={dir}
          trigger={
            <IconButton ref={more} label={say('views.more', { name })}>
              <Icon of={Ellipsis} size={18} />
            </IconButton>
          }
        >
          <MenuAction onSelect={copy}>{say('views.copy')}</MenuAction>
          {mine && (
            <>
              <MenuAction
                onSelect={() => {
                  // The form gives the focus back to where it was, and the menu is gone by then.
                  more.current?.focus();
                  onEdit();
                }}
              >
                {say('views.edit')}
              </MenuAction>
              <MenuLine />
              <MenuAction onSelect={onDelete}>{say('views.delete')}</MenuAction>
            </>
          )}
        </Menu>
      </div>
    </li>
  );
}
