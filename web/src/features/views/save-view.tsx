import type { WireView } from '@perfume/contract/views';
import { firstCharacters } from '@perfume/domain/text';
import { VIEW_NAME_MAX, type ViewPage } from '@perfume/domain/views';
import { useQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSearchParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { changeView, saveView } from './view-actions.ts';
import { ViewForm } from './view-form.tsx';
import { isSameQuery, queryOf, VIEW } from './view-link.ts';
import { viewsQuery } from './views-query.ts';

type SaveViewProps = {
  page: ViewPage;
  /** The name that the form suggests, made from the filters. */
  suggestion: string;
  /** Called before a new view is saved, to put into the address what the page shows and the address does not say. */
  onNew?: () => void;
  size?: 's';
};

/** The button that saves the filters of a page under a name. If they are saved already, it edits or updates that view. */
export function SaveView({ page, suggestion, onNew, size }: SaveViewProps) {
  const words = useWords();
  const { say } = words;
  const [params, setParams] = useSearchParams();
  const { data: views = [] } = useQuery(viewsQuery);
  const [isOpen, setIsOpen] = useState(false);
  const query = queryOf(params);
  const view = currentView(views, page, params.get(VIEW), query);
  const isChanged = view !== null && !isSameQuery(view.query, query);
  const close = () => setIsOpen(false);

  async function save(fields: Pick<WireView, 'name' | 'shared' | 'pinned' | 'email'>) {
    const saved = await saveView({ page, query, ...fields }, words);
    if (!saved) return;
    close();
    setParams(
      (now) => {
        now.set(VIEW, saved.id);
        return now;
      },
      { replace: true },
    );
  }

  return (
    <>
      <Button
        look={size === 's' ? 'quiet' : 'plain'}
        size={size ?? 'm'}
        aria-haspopup="dialog"
        onClick={() => {
          if (view === null) onNew?.();
          setIsOpen(true);
        }}
      >
        <Icon of={view && !isChanged ? BookmarkCheck : Bookmark} size={18} />
        {say(view === null ? 'views.save' : isChanged ? 'views.update' : 'views.isSaved')}
      </Button>
      {isOpen && (
        <ViewForm
          title={say(view === null ? 'views.save' : isChanged ? 'views.update' : 'views.form.edit')}
          page={page}
          start={
            view ?? { name: firstCharacters(suggestion, VIEW_NAME_MAX), shared: false, pinned: false, email: false }
          }
          submitLabel={say(view === null ? 'views.save' : isChanged ? 'views.update' : 'save')}
          onSubmit={
            view === null
              ? save
              : async (fields) => {
                  if (await changeView(view, isChanged ? { ...fields, query } : fields, words)) close();
                }
          }
          {...(view && isChanged && { note: say('views.form.changed', { name: view.name }), onSaveAsNew: save })}
          onClose={close}
        />
      )}
    </>
  );
}

/** The own view that is open, as the address says, or that has these filters. */
function currentView(views: WireView[], page: ViewPage, id: string | null, query: string): WireView | null {
  const own = views.filter((view) => view.mine && view.page === page);
  return own.find((view) => view.id === id) ?? own.find((view) => isSameQuery(view.query, query)) ?? null;
}
