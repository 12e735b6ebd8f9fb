import { UserRound } from 'lucide-react';
import { useState } from 'react';
import styles from './avatar.module.css';
import { Icon } from './icon.tsx';

type AvatarProps = {
  image: string | null;
  large?: boolean;
  /** The largest size, for a profile. */
  portrait?: boolean;
};

/** A user's picture, or a default icon. Screen readers skip it: the user's name is beside it or on its button. */
export function Avatar({ image, large = false, portrait = false }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const size = portrait ? 96 : large ? 44 : 36;
  const extra = portrait ? styles.portrait : large ? styles.large : undefined;
  return (
    <span className={extra ? `${styles.avatar} ${extra}` : styles.avatar} aria-hidden="true">
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
