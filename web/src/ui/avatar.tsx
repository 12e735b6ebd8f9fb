import { UserRound } from 'lucide-react';
import { useState } from 'react';
import styles from './avatar.module.css';
import { Icon } from './icon.tsx';

/** A person's picture, or the default one. An ornament: the name stands beside it or on its button. */
export function Avatar({ image, large = false }: { image: string | null; large?: boolean }) {
  const [broken, setBroken] = useState<string | null>(null);
  const size = large ? 44 : 36;
  return (
    <span className={large ? `${styles.avatar} ${styles.large}` : styles.avatar} aria-hidden="true">
      {image && broken !== image ? (
        <img
          src={image}
          alt=""
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          onError={() => setBroken(image)}
        />
      ) : (
        <Icon of={UserRound} size={Math.round(size * 0.55)} />
      )}
    </span>
  );
}
