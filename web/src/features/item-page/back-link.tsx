import { ArrowLeft } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { Link, type LinkProps } from '../../ui/link.tsx';
import styles from './back-link.module.css';

/** A link to the page above this one. */
export function BackLink({ children, ...rest }: Omit<LinkProps, 'className'>) {
  return (
    <Link {...rest} className={styles.back}>
      <Icon of={ArrowLeft} size={18} flips />
      {children}
    </Link>
  );
}
