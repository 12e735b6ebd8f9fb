import type { ReactNode } from 'react';
import { LinkButton } from '../../ui/button.tsx';
import styles from './panels.module.css';

type PanelsProps = {
  /** The page's heading and the form. */
  children: ReactNode;
  pitch: { eyebrow: string; heading: string; text: string; link?: { text: string; to: string } };
};

const shelf: { bottle: string; place: string | undefined }[] = [
  { bottle: 'jasmine-lantern', place: styles.second },
  { bottle: 'rose-chartreuse', place: styles.first },
  { bottle: 'vetiver-cotier', place: styles.third },
];

/** The two panels of the identity pages: the form, and a pitch with a link to another of these pages. */
export function Panels({ children, pitch }: PanelsProps) {
  return (
    <div className={styles.page}>
      <div className={styles.panels}>
        <div className={styles.form}>{children}</div>
        <section className={styles.pitch} aria-labelledby="pitch-heading">
          <div className={styles.words}>
            <p className={styles.eyebrow}>{pitch.eyebrow}</p>
            <h2 id="pitch-heading" className={styles.heading}>
              {pitch.heading}
            </h2>
            <p className={styles.text}>{pitch.text}</p>
            {pitch.link && <LinkButton to={pitch.link.to}>{pitch.link.text}</LinkButton>}
          </div>
          <div className={styles.shelf} aria-hidden="true">
            {shelf.map(({ bottle, place }) => (
              <img key={bottle} src={`/bottles/${bottle}.svg`} alt="" width={240} height={300} className={place} />
            ))}
          </div>
        </section>
      </div>
    </div>
  );
}
