import type { ProviderId } from '@perfume/contract/identity';
import { KeyRound } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import google from './google.svg';
import styles from './provider-mark.module.css';

/** The logo of a sign-in provider; for a generic OpenID Connect provider, a key. */
export function ProviderMark({ of: provider }: { of: ProviderId }) {
  if (provider === 'oidc') return <Icon of={KeyRound} size={18} />;
  if (provider === 'google') return <img src={google} width={18} height={18} alt="" />;
  return <span className={styles.github} />;
}
