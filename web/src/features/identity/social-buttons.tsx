import type { ProviderId } from '@perfume/contract/identity';
import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import { ProviderMark } from './provider-mark.tsx';
import { refusalText } from './refusal-text.ts';
import { type Door, rememberReturnPath } from './return-path.ts';
import styles from './social-buttons.module.css';

const order: ProviderId[] = ['github', 'google', 'oidc'];

type Props = {
  /** The page these buttons are on: an error of the provider is shown there. */
  door: Door;
  returnTo: string;
  onRefused: (text: string) => void;
};

/** Below the form: the other ways in that are set up here. */
export function SocialButtons({ door, returnTo, onRefused }: Props) {
  const words = useWords();
  const { say } = words;
  const { providers, providerNames } = useBoot();
  const [leaving, setLeaving] = useState<ProviderId | null>(null);
  const offered = order.filter((id) => providers.includes(id));

  useEffect(() => {
    // Whoever comes back with the browser's own button finds the page as they left it.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(null);
    addEventListener('pageshow', returned);
    return () => removeEventListener('pageshow', returned);
  }, []);

  async function leaveFor(provider: ProviderId) {
    if (leaving) return;
    setLeaving(provider);
    try {
      const { data } = await call('POST /api/auth/sign-in/social', {
        body: { provider, callbackURL: returnTo, errorCallbackURL: door },
      });
      rememberReturnPath(returnTo);
      location.assign(data.url);
    } catch (problem) {
      setLeaving(null);
      onRefused(refusalText(problem, words));
    }
  }

  if (offered.length === 0) return null;
  return (
    <>
      <p className={styles.or}>
        <span>{say('identity.or')}</span>
      </p>
      <div className={styles.buttons}>
        {offered.map((id) => (
          <Button key={id} busy={leaving === id} onClick={() => leaveFor(id)}>
            {leaving !== id && <ProviderMark of={id} />}
            {say('identity.social', { provider: providerNames[id] ?? id })}
          </Button>
        ))}
      </div>
    </>
  );
}
