import { FigureCell, FigureHead, Table } from '../../ui/table.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './pitch.module.css';
import section from './section.module.css';

const points = ['exact', 'live', 'undo'] as const;

/** The idea of the product, beside a sample ledger. */
export function Pitch() {
  const { say } = useWords();
  return (
    <section className={`${section.section} ${styles.pitch}`} aria-labelledby="pitch-heading">
      <div>
        <p className={section.eyebrow}>{say('pitch.eyebrow')}</p>
        <h2 id="pitch-heading">{say('pitch.heading')}</h2>
        <p className={`${section.lead} ${styles.lead}`}>{say('pitch.lead')}</p>
        <dl className={styles.points}>
          {points.map((point) => (
            <div key={point}>
              <dt>{say(`pitch.${point}.heading`)}</dt>
              <dd>{say(`pitch.${point}.text`)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <LedgerPage />
    </section>
  );
}

const movements = [
  { time: [16, 42], kind: 'delivered', change: -1, onHand: 41 },
  { time: [16, 42], kind: 'delivered', change: -1, onHand: 42 },
  { time: [15, 10], kind: 'undone', change: 12, onHand: 43 },
  { time: [15, 8], kind: 'delivered', change: -12, onHand: 31 },
  { time: [11, 30], kind: 'restocked', change: 24, onHand: 43 },
  { time: [9, 5], kind: 'delivered', change: -1, onHand: 19 },
] as const;

function LedgerPage() {
  const { say, locale, number } = useWords();
  const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'always' });
  return (
    <figure className={styles.page}>
      <Table>
        <caption>{say('pitch.sample.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('pitch.sample.when')}</th>
            <th scope="col">{say('pitch.sample.movement')}</th>
            <FigureHead>{say('pitch.sample.change')}</FigureHead>
            <FigureHead>{say('pitch.sample.onHand')}</FigureHead>
          </tr>
        </thead>
        <tbody>
          {movements.map(({ time, kind, change, onHand }) => (
            <tr key={`${time.join(':')} ${onHand}`}>
              <td>{time.map((part) => twoDigits.format(part)).join(':')}</td>
              <td>{say(`pitch.sample.${kind}`)}</td>
              <FigureCell className={change < 0 ? styles.out : styles.in}>
                <bdi>{signed.format(change)}</bdi>
              </FigureCell>
              <FigureCell className={styles.onHand}>{number(onHand)}</FigureCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </figure>
  );
}
