import { useWords } from '../../words/words.tsx';
import styles from './hero.module.css';
import section from './section.module.css';
import { StartButtons } from './start-buttons.tsx';

/** The bottles from left to right, each with the class that gives its size and position. */
const shelf: { bottle: string; place: string | undefined; largest?: true }[] = [
  { bottle: 'majlis-blue', place: styles.second },
  { bottle: 'vetiver-cotier', place: styles.third },
  { bottle: 'nuit-d-encre', place: styles.first, largest: true },
  { bottle: 'rose-chartreuse', place: styles.second },
  { bottle: 'ambre-gris-no-7', place: styles.fourth },
];

export function Hero() {
  const { say } = useWords();
  return (
    <section className={styles.hero} aria-labelledby="hero-heading">
      <div>
        <p className={section.eyebrow}>{say('hero.eyebrow')}</p>
        <h1 id="hero-heading" className={styles.name}>
          {say('brand')}
        </h1>
        <p className={styles.lead}>{say('hero.lead')}</p>
        <StartButtons />
      </div>
      <div className={styles.shelf}>
        {shelf.map(({ bottle, place, largest }) => (
          <img
            key={bottle}
            src={`/bottles/${bottle}.svg`}
            alt=""
            width={240}
            height={300}
            className={place}
            fetchPriority={largest ? 'high' : 'auto'}
          />
        ))}
      </div>
    </section>
  );
}
