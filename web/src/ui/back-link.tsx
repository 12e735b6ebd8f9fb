import { ArrowLeft } from 'lucide-react';
import styles from './back-link.module.css';
import { Icon } from './icon.tsx';
import { Link, type LinkProps } from './link.tsx';

/** To the page above this one. */
export function BackLink({ children, ...rest }: Omit<LinkProps, 'className'>) {
  return (
    <Link {...rest} className={styles.back}>
      <Icon of={ArrowLeft} size={18} flips />
      {children}
    </Link>
  );
}
