import { useState } from 'react';
import styles from './picture.module.css';

const FALLBACK = '/bottles/fallback.svg';

type PictureProps = {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Above the fold: fetched at once, not when scrolled near. */
  eager?: boolean;
  className?: string | undefined;
};

/** An image that is never a broken icon: a drawn bottle stands in when it is missing or cannot be loaded. */
export function Picture({ src, alt, width, height, eager = false, className }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const missing = src === '' || broken === src;
  return (
    <img
      // An image may have failed before this page came to life; then no error event follows.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0 && !missing) setBroken(src);
      }}
      src={missing ? FALLBACK : src}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      referrerPolicy="no-referrer"
      className={[styles.picture, className].filter(Boolean).join(' ')}
      onError={missing ? undefined : () => setBroken(src)}
    />
  );
}
