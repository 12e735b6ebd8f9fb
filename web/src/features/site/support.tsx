import { Bug, CalendarDays, LifeBuoy, Package } from 'lucide-react';
import { type Contact, useBoot } from '../../api/boot.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { LocationMap } from './location-map.tsx';
import section from './section.module.css';
import styles from './support.module.css';

const desks = [
  { desk: 'technical', icon: LifeBuoy },
  { desk: 'stock', icon: Package },
  { desk: 'policy', icon: CalendarDays },
  { desk: 'bugs', icon: Bug },
] as const satisfies { desk: keyof Contact; icon: unknown }[];

export function Support() {
  const { say } = useWords();
  const { contact } = useBoot();
  return (
    <section id="support" className={section.section} aria-labelledby="support-heading">
      <h2 id="support-heading">{say('support.heading')}</h2>
      <p className={`${section.lead} ${styles.lead}`}>{say('support.lead')}</p>
      <div className={styles.both}>
        <LocationMap />
        <ul className={styles.desks}>
          {desks.map(({ desk, icon }) => (
            <li key={desk} className={styles.desk}>
              <Icon of={icon} size={22} />
              <h3>{say(`support.${desk}.heading`)}</h3>
              <p>{say(`support.${desk}.text`)}</p>
              <a href={`mailto:${contact[desk]}`} dir="ltr">
                {contact[desk]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
