import { pathOf } from '@perfume/contract/page-paths';
import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem } from '../../api/client.ts';
import { itemQuery } from '../../live/item-cache.ts';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { paths } from '../../paths.ts';
import { TextField } from '../../ui/form/field.tsx';
import { useNavigate, useParams } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { BackLink } from '../item-page/back-link.tsx';
import { ItemDeleted, ItemFailed, ItemLoading, ItemNotFound } from '../item-page/item-unavailable.tsx';
import { OnlyFor } from '../items/only-for.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { editDraftKey } from './edit-draft.ts';
import styles from './edit-item-page.module.css';
import { DraftNotice } from './form-notice.tsx';
import { ItemForm } from './item-form.tsx';
import layout from './item-form-page.module.css';
import { useEditItem } from './use-edit-item.ts';

/** The page /dashboard/inventory/{id}/edit. */
export function EditItemPage() {
  const { id = '' } = useParams(pathOf.editItem);
  const known = id.toLowerCase();
  return (
    <OnlyFor action="changeItems">
      <LoadedEditItem key={known} id={known} />
    </OnlyFor>
  );
}

function LoadedEditItem({ id }: { id: string }) {
  const { data: item, error, refetch, isFetching } = useQuery(itemQuery(id));
  const [last, setLast] = useState<Item | null>(null);
  if (item && item !== last) setLast(item);
  if (item) return <EditItem item={item} />;
  // The draft of the edit stays in storage. If the deleted item is restored, so is the draft.
  if (item === null) return last ? <ItemDeleted item={last} /> : <ItemNotFound id={id} />;
  if (error && !isFetching) return <ItemFailed problem={error} onRetry={() => void refetch()} />;
  return <ItemLoading />;
}

function EditItem({ item }: { item: Item }) {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const navigate = useNavigate();
  const back = paths.item(item.id);
  const leave = () => navigate(back, { replace: true });

  const { form, reorder, conflict, isRestored, discard } = useEditItem({
    item,
    draftKey: editDraftKey(user?.id ?? '', item.id),
    onSaved: ({ item: { id, name }, entry }) => {
      const action = entryAction({ id: entry, itemId: id, what: { kind: 'edit', name } });
      performed(action);
      notify({
        kind: 'success',
        id,
        text: say('edit.saved', { name }),
        action: undoAction([action], words),
      });
      leave();
    },
    onUnchanged: () => {
      notify({ kind: 'info', id: item.id, text: say('edit.unchanged') });
      leave();
    },
    onRefused: (problem) => {
      const isAboutFields = problem instanceof ApiProblem && problem.code === 'invalid_input';
      const why = isAboutFields
        ? say('edit.wrongFields')
        : `${say('edit.notSaved', { name: item.name })} ${problemText(problem, words)}`;
      notify({ kind: 'error', id: item.id, text: why });
    },
  });

  function discardDraft(): void {
    const putBack = discard();
    notify({
      kind: 'info',
      id: item.id,
      text: say('draft.discarded'),
      action: { text: say('undo'), run: putBack },
    });
  }

  return (
    <div className={layout.page}>
      <header className={layout.head}>
        <BackLink to={back}>{say('edit.back')}</BackLink>
        <h1>{say('edit.heading')}</h1>
        <p className={layout.lead}>{say('edit.lead')}</p>
      </header>
      {isRestored && <DraftNotice onDiscard={discardDraft} />}
      <ItemForm form={form} submitText={say('edit.save')}>
        <section className={layout.section}>
          <h2>{say('edit.lowStock')}</h2>
          <div className={styles.short}>
            <TextField
              label={say('edit.reorderPoint')}
              hint={reorder.note ?? say('edit.reorderPoint.hint')}
              error={reorder.isWrong ? say('edit.reorderPoint.wrong') : undefined}
              name="reorderPoint"
              value={reorder.shown}
              onChange={({ target }) => reorder.type(target.value)}
              onBlur={() => void reorder.check()}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
              after={<span className={layout.unit}>{say('edit.units')}</span>}
            />
          </div>
        </section>
      </ItemForm>
      {conflict && (
        <EditConflict
          fields={conflict.fields}
          mine={conflict.mine}
          theirs={conflict.theirs}
          onResolve={conflict.resolve}
          onBack={conflict.leave}
        />
      )}
    </div>
  );
}
