import { ScanBarcode } from 'lucide-react';
import { useBoot } from '../../api/boot.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './admin-home-page.module.css';

const DashboardFigures = lazyPart(async () => (await import('../insights/dashboard-figures.tsx')).DashboardFigures, {
  words: 'insights',
  fallback: <Skeleton height="48rem" />,
});

export function AdminHomePage() {
  const { say, date } = useWords();
  const may = useMay();
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{say('sidebar.adminHome')}</h1>
        <p className={styles.today}>{date(Date.now())}</p>
        {may('moveStock') && (
          <LinkButton to={paths.floor} look="primary" className={styles.floor}>
            <Icon of={ScanBarcode} />
            {say('sidebar.floor')}
          </LinkButton>
        )}
      </header>
      <Profile />
      <DashboardFigures />
      <SampleFigures />
    </div>
  );
}

function Profile() {
  const { say } = useWords();
  const { user } = useBoot();
  return (
    <section className={styles.profile} aria-labelledby="profile">
      <Avatar image={user?.photoURL ?? null} portrait />
      <div className={styles.person}>
        <h2 id="profile" className={styles.eyebrow}>
          {say('adminHome.profile')}
        </h2>
        <p className={styles.name}>
          <bdi>{user?.displayName || say('account.user')}</bdi>
        </p>
        <p className={styles.email}>{user?.email ? <span dir="ltr">{user.email}</span> : say('shell.noEmail')}</p>
      </div>
    </section>
  );
}

const samples = [
  ['adminHome.totalDealers', 'adminHome.totalDealers.figure', 'adminHome.totalDealers.note'],
  ['adminHome.newDealers', 'adminHome.week.figure', 'adminHome.week.note'],
  ['adminHome.newDealers', 'adminHome.month.figure', 'adminHome.month.note'],
] as const;

/** The sample figures of the spec; the caption says that they are samples. */
function SampleFigures() {
  const { say } = useWords();
  return (
    <section aria-labelledby="samples">
      <h2 id="samples" className={styles.caption}>
        {say('adminHome.sample')}
      </h2>
      <ul className={styles.figures}>
        {samples.map(([label, figure, note]) => (
          <li key={figure} className={styles.figure}>
            <h3 className={styles.label}>{say(label)}</h3>
            <strong>{say(figure)}</strong>
            <p className={styles.note}>{say(note)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
