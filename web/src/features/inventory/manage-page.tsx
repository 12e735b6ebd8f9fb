import { ClipboardCheck, FileUp, History } from 'lucide-react';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchAsYouType } from '../../ui/form/search-as-you-type.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLocation } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { InventoryList } from './inventory-list.tsx';
import { prefetchFirstRows } from './list-filters.ts';
import styles from './manage-page.module.css';

/** The first rows are part of the first frame of the page, if they arrive soon. */
export async function loadManagePage() {
  if (!import.meta.env.SSR) await prefetchFirstRows();
  return ManagePage;
}

function ManagePage() {
  const { say } = useWords();
  const { search } = useLocation();
  const may = useMay();
  const create = may('changeItems') && (
    <LinkButton to={paths.addItem} look="primary" className={styles.create}>
      {say('inventory.create')}
    </LinkButton>
  );
  const aside = (
    <>
      {/* Starts a count of what the search shows. */}
      <LinkButton to={`${paths.counts}${search}`} look="plain" className={styles.counts}>
        <Icon of={ClipboardCheck} size={18} />
        <span className="visually-hidden-when-narrow">{say('palette.counts')}</span>
      </LinkButton>
      {may('changeItems') && (
        <LinkButton to={paths.imports} look="plain" className={styles.imports}>
          <Icon of={FileUp} size={18} />
          <span className="visually-hidden-when-narrow">{say('palette.import')}</span>
        </LinkButton>
      )}
      <LinkButton to={paths.history} look="plain" className={styles.history}>
        <Icon of={History} size={18} />
        <span className="visually-hidden-when-narrow">{say('palette.history')}</span>
      </LinkButton>
    </>
  );
  return (
    <InventoryList
      scope="all"
      heading={say('inventory.manage')}
      search={(props) => (
        <SearchAsYouType {...props} label={say('inventory.search')} placeholder={say('inventory.search')} />
      )}
      create={create}
      aside={aside}
      empty={<EmptyState text={say('inventory.empty')} />}
    />
  );
}
