import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { RunningExport } from '../../live/export-menu.tsx';
import { useExport } from '../../live/use-export.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import { OnlyFor } from '../items/only-for.tsx';
import { ChooseFile } from './choose-file.tsx';
import { stateText } from './import-texts.ts';
import styles from './imports-page.module.css';
import { importsQuery } from './imports-query.ts';

/** The page at /dashboard/import: choose a file, and the imports of the last days. */
export function ImportsPage() {
  const { say } = useWords();
  return (
    <OnlyFor action="changeItems">
      <section className={styles.page} aria-labelledby="imports">
        <header>
          <h1 id="imports">{say('import.heading')}</h1>
          <p className={styles.lead}>{say('import.lead')}</p>
        </header>
        <ChooseFile />
        <Recent />
        <TakeEverything />
      </section>
    </OnlyFor>
  );
}

/** Exports the whole warehouse. */
function TakeEverything() {
  const { say } = useWords();
  const { bytes, start, cancel } = useExport();
  return (
    <section className={styles.archive}>
      <h2>{say('archive.heading')}</h2>
      <p className={styles.lead}>{say('archive.lead')}</p>
      {bytes === null ? (
        <Button onClick={() => void start('/exports/house')}>
          <Icon of={Download} size={18} />
          {say('archive.download')}
        </Button>
      ) : (
        <RunningExport bytes={bytes} onCancel={cancel} />
      )}
    </section>
  );
}

function Recent() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(importsQuery);
  return (
    <section className={styles.recent}>
      <h2>{say('import.recent')}</h2>
      {!data && (!error || isFetching) && <Skeleton width="100%" height="6rem" />}
      {!data && error && !isFetching && (
        <EmptyState alert text={say('import.failed')}>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </EmptyState>
      )}
      {data?.length === 0 && <p className={styles.none}>{say('import.recent.none')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list}>
          {data.map((one) => (
            <li key={one.id} className={styles.import}>
              <Link to={paths.importFile(one.id)} className={styles.name}>
                <bdi>{one.name}</bdi>
              </Link>
              <p className={styles.facts}>
                <Badge tone={one.state === 'done' ? 'good' : one.state === 'failed' ? 'bad' : 'plain'}>
                  {stateText(one, words)}
                </Badge>
                <span>{say('import.rows', { count: one.of })}</span>
                <span>
                  {say('import.by', { name: one.by.name, when: when(Date.parse(one.at), Date.now(), words) })}
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
