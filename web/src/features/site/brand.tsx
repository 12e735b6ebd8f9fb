import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './brand.module.css';

export function Brand() {
  const { say } = useWords();
  return (
    <Link to={paths.home} className={styles.brand} aria-label={say('brand')}>
      {say('brand.first')} <span className={styles.dot} aria-hidden="true" /> {say('brand.second')}
    </Link>
  );
}
