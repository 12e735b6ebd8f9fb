import { useState } from 'react';
import styles from './picture.module.css';

const FALLBACK = '/bottles/fallback.svg';

type PictureProps = {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Loads the image at once, for images above the fold. */
  eager?: boolean;
  className?: string | undefined;
};

/** An image with a drawn bottle as its fallback when it is missing or cannot be loaded. */
export function Picture({ src, alt, width, height, eager = false, className }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const missing = src === '' || broken === src;
  return (
    <img
      // An image that failed to load before hydration causes no error event here.
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
