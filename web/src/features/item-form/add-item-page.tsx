import type { Item } from '@perfume/domain/items';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem } from '../../api/client.ts';
import { ownerName } from '../../api/session.ts';
import { activeQueue } from '../../live/active-queue.ts';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed } from '../../live/undo-stack.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Link } from '../../ui/link.tsx';
import { useNavigate, useSearchParams } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { OnlyFor } from '../items/only-for.tsx';
import styles from './add-item-page.module.css';
import { createItem } from './create-item.ts';
import { findDuplicate } from './find-duplicate.ts';
import { DraftNotice, FormNotice } from './form-notice.tsx';
import {
  attemptKey,
  clearDraft,
  correctedItem,
  corrections,
  forgetAttempt,
  loadDraft,
  saveDraft,
  savedAttemptKey,
} from './item-draft.ts';
import { type ItemTexts, withCode } from './item-fields.ts';
import { ItemForm } from './item-form.tsx';
import layout from './item-form-page.module.css';
import { useItemForm } from './use-item-form.ts';

export function AddItemPage() {
  const key = corrections.use();
  return (
    <OnlyFor action="changeItems">
      <NewItem key={key} />
    </OnlyFor>
  );
}

function NewItem() {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const owner = user ? ownerName(user) : '';
  const blank = blankFor(user?.email ?? '');
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [restored, setRestored] = useState(() => loadDraft(owner));
  // Read when the form opens: another tab may start a correction while this one holds another item.
  const [corrected] = useState(() => correctedItem(owner));
  const [added, setAdded] = useState<Item | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);

  const form = useItemForm({
    initial: query.getAll('code').reduce(withCode, { ...blank, ...restored }),
    onTyped: (texts) => saveDraft(owner, texts, blank),
    send: async (texts) => {
      if (!(await confirmDuplicate(texts))) return;
      const item = await createItem(texts, attemptKey(owner, texts));
      // The item's first ledger entry has the same id as the item.
      performed(entryAction({ id: item.id, itemId: item.id, what: { kind: 'create', name: item.name } }));
      if (corrected !== null && correctedItem(owner) === corrected) await activeQueue()?.replaceAdd(corrected, item.id);
      clearDraft(owner);
      // Of an item that waits for a connection, the queue itself says so.
      if (!activeQueue()?.find(item.id)) notify({ kind: 'success', id: 'addItem', text: say('add.done') });
      reset();
      setAdded(item);
      // The code in the address belongs to this item now.
      if (query.has('code')) navigate(paths.addItem, { replace: true });
    },
    onRefused: (problem) => {
      if (problem instanceof ApiProblem && problem.code === 'code_taken') forgetAttempt(owner);
      const isAboutFields = problem instanceof ApiProblem && problem.code === 'invalid_input';
      const text = isAboutFields ? say('add.wrongFields') : problemText(problem, words);
      notify({ kind: 'error', id: 'addItemFailed', text });
    },
  });

  /**
   * Asks the user to confirm when an item with the same name and supplier exists. A retry skips the question, because
   * its first attempt may have created that item.
   */
  async function confirmDuplicate(texts: ItemTexts): Promise<boolean> {
    const existing = savedAttemptKey(owner, texts) === null ? await findDuplicate(texts) : null;
    if (existing === null) return true;
    const confirmed = await new Promise<boolean>((answer) => setConfirmation({ existing, answer }));
    setConfirmation(null);
    return confirmed;
  }

  function reset(): void {
    setRestored(null);
    form.reset(blank);
    form.focus('name');
  }

  function discard(): void {
    const { texts } = form;
    clearDraft(owner);
    reset();
    notify({
      kind: 'info',
      id: 'draftDiscarded',
      text: say('draft.discarded'),
      action: { text: say('undo'), run: () => form.setValues(texts) },
    });
  }

  return (
    <div className={layout.page}>
      <header className={layout.head}>
        <h1>{say('add.heading')}</h1>
        <p className={layout.lead}>
          {say('add.lead')} <Link to={paths.imports}>{say('add.import')}</Link>
        </p>
      </header>
      {restored && <DraftNotice onDiscard={discard} />}
      {added && <Added item={added} />}
      <ItemForm form={form} submitText={say('add.submit')} />
      {confirmation && <ConfirmDuplicate {...confirmation} />}
    </div>
  );
}

/** Names the item that was just added and links to it. Unlike the toast, it stays until the next item is added. */
function Added({ item }: { item: Item }) {
  const { say } = useWords();
  return (
    <FormNotice>
      <p dir="auto">{say('add.added', { name: item.name })}</p>
      <LinkButton to={paths.item(item.id)} size="s" look="plain">
        {say('add.open')}
      </LinkButton>
    </FormNotice>
  );
}

type Confirmation = { existing: Item; answer: (confirmed: boolean) => void };

function ConfirmDuplicate({ existing, answer }: Confirmation) {
  const { say } = useWords();
  return (
    <Confirm
      title={say('add.duplicate')}
      text={say('add.duplicate.question', { name: existing.name, supplier: existing.supplierName })}
      confirmLabel={say('add.duplicate.add')}
      cancelLabel={say('add.duplicate.back')}
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    >
      <p className={styles.existing}>
        <LinkButton to={paths.item(existing.id)} size="s" look="plain">
          {say('add.duplicate.open')}
        </LinkButton>
      </p>
    </Confirm>
  );
}

function blankFor(email: string): ItemTexts {
  return {
    name: '',
    price: '',
    quantity: '',
    imageUrl: '',
    description: '',
    supplierName: '',
    email,
    sku: '',
    barcodes: '',
  };
}
