import { useEffect, useRef, useState } from 'react';
import styles from './live-number.module.css';

const COUNT_MS = 200;

/** A number that counts to its new value and glows once. With reduced motion it changes at once. */
export function LiveNumber({ value, format }: { value: number; format: (value: number) => string }) {
  const [shown, setShown] = useState(value);
  const from = useRef(value);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (from.current === value) return;
    const start = from.current;
    from.current = value;
    setChanges((count) => count + 1);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return setShown(value);
    return countTo(start, value, setShown);
  }, [value]);
  return (
    <span key={changes} className={changes > 0 ? styles.changed : undefined}>
      {format(shown)}
    </span>
  );
}

function countTo(start: number, end: number, show: (value: number) => void): () => void {
  const began = performance.now();
  let frame = requestAnimationFrame(function step(now) {
    const part = Math.min(1, Math.max(0, (now - began) / COUNT_MS));
    show(Math.round(start + (end - start) * (1 - (1 - part) ** 3)));
    if (part < 1) frame = requestAnimationFrame(step);
  });
  return () => {
    cancelAnimationFrame(frame);
    show(end);
  };
}
