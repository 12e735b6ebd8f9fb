import type { ReactNode } from 'react';
import { useBoot } from '../../api/boot.ts';
import { paths, serverPaths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import { Brand } from './brand.tsx';
import styles from './site-footer.module.css';
import { everyoneLinks } from './site-links.ts';

export function SiteFooter() {
  const { say, locale } = useWords();
  const { contact } = useBoot();
  const year = new Intl.NumberFormat(locale, { useGrouping: false }).format(new Date().getUTCFullYear());
  return (
    <footer className={styles.footer}>
      <div className={styles.house}>
        <Brand />
        <p>{say('footer.tagline')}</p>
      </div>
      <nav aria-label={say('footer.label')} className={styles.columns}>
        <Column heading={say('footer.explore')}>
          {everyoneLinks.map(({ to, word }) => (
            <Link key={to} to={to}>
              {say(word)}
            </Link>
          ))}
        </Column>
        <Column heading={say('footer.developers')}>
          <a href={serverPaths.apiReference}>{say('footer.apiReference')}</a>
          <a href={serverPaths.openApi}>{say('footer.openApi')}</a>
          <a href={serverPaths.licence}>{say('footer.licence')}</a>
        </Column>
        <Column heading={say('footer.help')}>
          <a href={`mailto:${contact.technical}`}>{say('footer.support')}</a>
          <Link to={`${paths.home}#support`}>{say('footer.location')}</Link>
        </Column>
      </nav>
      <p className={styles.rights}>{say('footer.rights', { year })}</p>
    </footer>
  );
}

function Column({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <div className={styles.column}>
      <h2 className={styles.heading}>{heading}</h2>
      {children}
    </div>
  );
}
