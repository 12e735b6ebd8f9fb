import { useBoot } from '../../api/boot.ts';
import { ItemGrid } from '../items/item-grid.tsx';
import { ClosingCall } from './closing-call.tsx';
import { Hero } from './hero.tsx';
import { Pitch } from './pitch.tsx';
import section from './section.module.css';
import { Support } from './support.tsx';
import { WhyUse } from './why-use.tsx';

export function HomePage() {
  const { items, house } = useBoot();
  return (
    <>
      <div className={section.page}>
        <Hero />
        <section id="items" aria-labelledby="items-heading" tabIndex={-1}>
          <ItemGrid first={house ? null : items} />
        </section>
        <Pitch />
        <WhyUse />
        <Support />
      </div>
      <ClosingCall />
    </>
  );
}
