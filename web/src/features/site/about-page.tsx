import type { ReactNode } from 'react';
import { useBoot } from '../../api/boot.ts';
import { paths, serverPaths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

export function AboutPage() {
  const { say } = useWords();
  const { contact } = useBoot();
  return (
    <div className={`${section.page} ${prose.page}`}>
      <header className={prose.head}>
        <h1>{say('about.heading')}</h1>
        <p className={section.lead}>{say('about.lead')}</p>
      </header>
      {(['whom', 'exact', 'kept'] as const).map((part) => (
        <Part key={part} heading={say(`about.${part}.heading`)}>
          <p>{say(`about.${part}.1`)}</p>
          <p>{say(`about.${part}.2`)}</p>
        </Part>
      ))}
      <Part heading={say('about.open.heading')}>
        <p>{say('about.open.1')}</p>
        <p className={prose.links}>
          <a href={serverPaths.apiReference} className={prose.link}>
            {say('about.open.api')}
          </a>
          <a href={serverPaths.licence} className={prose.link}>
            {say('about.open.licence')}
          </a>
        </p>
      </Part>
      <Part heading={say('about.reach.heading')}>
        <p>{say('about.reach.1')}</p>
        <p className={prose.links}>
          <a href={`mailto:${contact.technical}`} className={prose.link} dir="ltr">
            {contact.technical}
          </a>
          <Link to={`${paths.home}#support`} className={prose.link}>
            {say('about.reach.map')}
          </Link>
        </p>
      </Part>
    </div>
  );
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className={prose.row}>
      <h2>{heading}</h2>
      <div className={prose.text}>{children}</div>
    </section>
  );
}
