import type { FormEvent } from 'react';
import { paths } from '../../paths.ts';
import { SearchField } from '../../ui/form/search-field.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './sidebar-search.module.css';

/** A search field that opens Manage Inventory with the results. It replaces the previous search there. */
export function SidebarSearch({ onDone }: { onDone?: () => void }) {
  const { say } = useWords();
  const navigate = useNavigate();

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const q = String(new FormData(form).get('q') ?? '').trim();
    // From now on the search field of Manage Inventory shows the text.
    form.reset();
    onDone?.();
    navigate({ pathname: paths.manageInventory, search: q === '' ? '' : `?${new URLSearchParams({ q })}` });
  }

  return (
    <search className={styles.search}>
      <form onSubmit={search} action={paths.manageInventory}>
        <SearchField label={say('sidebar.search')} name="q" placeholder={say('search.placeholder')} />
      </form>
    </search>
  );
}
