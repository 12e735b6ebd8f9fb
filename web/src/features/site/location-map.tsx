import { useEffect, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './location-map.module.css';

const MapView = lazyPart(async () => (await import('./map-view.tsx')).MapView);

/** The address, and a map that is loaded when it is near the viewport. */
export function LocationMap() {
  const { say } = useWords();
  const { contact } = useBoot();
  const frame = useRef<HTMLDivElement>(null);
  const near = useNearViewport(frame);
  return (
    <div className={styles.location}>
      <div ref={frame} className={styles.frame}>
        {near && <MapView />}
      </div>
      <p className={styles.address}>
        <span className={styles.term}>{say('map.address')}</span>
        <span dir="auto">{contact.address}</span>
      </p>
    </div>
  );
}

function useNearViewport(ref: { readonly current: Element | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !ref.current) return;
    const watcher = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: '400px',
    });
    watcher.observe(ref.current);
    return () => watcher.disconnect();
  }, [near, ref]);
  return near;
}
