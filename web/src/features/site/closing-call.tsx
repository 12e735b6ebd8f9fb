import { useWords } from '../../words/words.tsx';
import styles from './closing-call.module.css';
import section from './section.module.css';
import { StartButtons } from './start-buttons.tsx';

export function ClosingCall() {
  const { say } = useWords();
  return (
    <section className={styles.band} aria-labelledby="closing-heading">
      <div className={`${section.page} ${styles.inner}`}>
        <h2 id="closing-heading" className={styles.heading}>
          {say('closing.heading')}
        </h2>
        <div>
          <p className={styles.lead}>{say('closing.lead')}</p>
          <StartButtons />
        </div>
      </div>
    </section>
  );
}
