import { useWords } from '../../words/words.tsx';
import section from './section.module.css';
import styles from './why-use.module.css';

/** The three sample figures of the spec; the caption says that they are samples. */
export function WhyUse() {
  const { say, locale } = useWords();
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const plain = new Intl.NumberFormat(locale, { useGrouping: false });
  const figures = [
    { figure: `${plain.format(1000)}+`, word: say('why.dealers') },
    { figure: percent.format(0.99), word: say('why.reviews') },
    { figure: percent.format(1), word: say('why.customizable') },
  ];
  return (
    <section className={section.section} aria-labelledby="why-heading">
      <div className={styles.head}>
        <h2 id="why-heading">{say('why.heading')}</h2>
        <p className={styles.caption}>{say('why.caption')}</p>
      </div>
      <ul className={styles.figures}>
        {figures.map(({ figure, word }) => (
          <li key={word} className={styles.figure}>
            <strong>{figure}</strong> <span>{word}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
