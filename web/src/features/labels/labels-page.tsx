import type { Item } from '@perfume/domain/items';
import { type Copies, labelCode, layOut, MAX_LABELS, placeLabels, repeatItems } from '@perfume/domain/labels';
import { Printer } from 'lucide-react';
import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { useJob } from '../../live/bulk-job.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import { startBulk } from '../inventory/bulk-actions.ts';
import { BulkReport } from '../inventory/bulk-report.tsx';
import { ChosenItems } from './chosen-items.tsx';
import { type LabelChoices, sheetOf, useLabelChoices } from './label-choices.ts';
import { allItems, useLabelItems, useLabelledIds } from './label-items-query.ts';
import { LabelOptions } from './label-options.tsx';
import { LabelSheet } from './label-sheet.tsx';
import styles from './labels-page.module.css';
import { PrintedSheets } from './printed-sheets.tsx';

const noItems: Item[] = [];

/** The page at /dashboard/labels: choose items and a sheet, see the labels, print them or save them as PDF. */
export function LabelsPage() {
  const words = useWords();
  const { say } = words;
  const [ids, changeIds] = useLabelledIds();
  const [choices, choose] = useLabelChoices();
  const [copies, setCopies] = useState<Copies>(1);
  const { data, error, isFetching, refetch } = useLabelItems(ids);
  const items = ids.length === 0 ? noItems : (data ?? noItems);
  return (
    <section className={styles.page} aria-labelledby="labels">
      <header>
        <h1 id="labels">{say('labels.heading')}</h1>
        <p className={styles.lead}>{say('labels.lead')}</p>
      </header>
      <div className={styles.columns}>
        <div className={styles.form}>
          <ChosenItems items={items} onChange={changeIds} />
          <LabelOptions choices={choices} onChoose={choose} copies={copies} onCopies={setCopies} />
        </div>
        <div className={styles.result}>
          {data || ids.length === 0 ? (
            <Result items={items} choices={choices} copies={copies} />
          ) : error && !isFetching ? (
            <EmptyState alert text={say('labels.failed')}>
              <p>{problemText(error, words)}</p>
              <Button onClick={() => void refetch()}>{say('retry')}</Button>
            </EmptyState>
          ) : (
            <Skeleton width="100%" height="24rem" />
          )}
        </div>
      </div>
      <BulkReport />
    </section>
  );
}

/** The first pages are drawn on screen; a longer preview would take long and show nothing new. */
const MAX_PREVIEWED = 3;

type ResultProps = { items: readonly Item[]; choices: LabelChoices; copies: Copies };

function Result({ items, choices, copies }: ResultProps) {
  const { say } = useWords();
  const { symbol, shown, first } = choices;
  const sheet = useMemo(() => sheetOf(choices), [choices]);
  const withCode = useMemo(() => items.filter((item) => labelCode(item) !== null), [items]);
  const { labels, total } = useMemo(() => repeatItems(withCode, copies), [withCode, copies]);
  const pages = useMemo(() => placeLabels(sheet, labels.length, first), [sheet, labels, first]);
  const draw = useCallback(
    (most: number) =>
      pages
        .slice(0, most)
        .map((places) => (
          <LabelSheet
            key={places[0]?.index}
            sheet={sheet}
            places={places}
            labels={labels}
            symbol={symbol}
            shown={shown}
          />
        )),
    [pages, sheet, labels, symbol, shown],
  );
  const drawAll = useCallback(() => draw(pages.length), [draw, pages]);
  const tooSmall = withCode.filter(
    (item) => !layOut(sheet.label, labelCode(item) ?? '', symbol, shown.length > 0).isReadable,
  ).length;
  const notices = [
    total > MAX_LABELS && say('labels.tooMany', { most: MAX_LABELS, total }),
    tooSmall > 0 && say('labels.tooSmall', { count: tooSmall }),
  ].filter((text) => text !== false);
  const summary = `${say('labels.count', { count: labels.length })} · ${say('labels.pages', { count: pages.length })}`;
  return (
    <>
      <WithoutCode items={items} />
      {labels.length === 0 ? (
        <EmptyState text={say(items.length === 0 ? 'labels.empty' : 'labels.nothing')} />
      ) : (
        <>
          <div className={styles.print}>
            <p role="status">{summary}</p>
            <Button look="primary" onClick={() => window.print()}>
              <Icon of={Printer} size={18} />
              {say('labels.print')}
            </Button>
            <p className={styles.hint}>{say('labels.print.hint')}</p>
          </div>
          {notices.map((text) => (
            <p key={text} className={styles.notice} role="status">
              {text}
            </p>
          ))}
          <figure
            className={styles.preview}
            aria-label={say('labels.preview', { summary })}
            style={{ '--page-width': sheet.page.width } as CSSProperties}
          >
            <div aria-hidden="true">{draw(MAX_PREVIEWED)}</div>
          </figure>
          {pages.length > MAX_PREVIEWED && (
            <p className={styles.hint}>{say('labels.more', { count: pages.length - MAX_PREVIEWED })}</p>
          )}
          <PrintedSheets page={sheet.page} draw={drawAll} />
        </>
      )}
    </>
  );
}

/** Says which items have no code to print, and gives them one. */
function WithoutCode({ items }: { items: readonly Item[] }) {
  const words = useWords();
  const { say } = words;
  const may = useMay();
  const isBusy = useJob() !== null;
  const ids = items.filter((item) => labelCode(item) === null).map(({ id }) => id);
  if (ids.length === 0) return null;
  const createCodes = () =>
    startBulk({ action: 'assignCode' }, { selection: { kind: 'some', ids: new Set(ids) }, filters: allItems }, words);
  return (
    <div className={styles.notice} role="status">
      <p>{say('labels.withoutCode', { count: ids.length })}</p>
      {may('changeItems') ? (
        <Button size="s" busy={isBusy} onClick={() => void createCodes()}>
          {say('labels.createCodes')}
        </Button>
      ) : (
        <p>{say('labels.askForCodes')}</p>
      )}
    </div>
  );
}
