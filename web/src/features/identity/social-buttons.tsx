import type { ProviderId } from '@perfume/contract/identity';
import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { isBriefLogin, noteBriefLogin } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from './auth-error-text.ts';
import { ProviderMark } from './provider-mark.tsx';
import { type AuthPath, rememberReturnPath } from './return-path.ts';
import styles from './social-buttons.module.css';

const order: ProviderId[] = ['github', 'google', 'oidc'];

type Props = {
  /** The page that shows the buttons. After a failed sign-in, the provider sends the user back to it. */
  page: AuthPath;
  returnTo: string;
  /** Whether the user does not want to be remembered in this browser. By default, as for their login so far. */
  isBrief?: () => boolean;
  /** Shows only these of the configured providers. */
  only?: readonly string[];
  onError: (text: string) => void;
};

/** The buttons of the configured sign-in providers, below the form. */
export function SocialButtons({ page, returnTo, isBrief = isBriefLogin, only = order, onError }: Props) {
  const words = useWords();
  const { say } = words;
  const { providers, providerNames } = useBoot();
  const [leaving, setLeaving] = useState<ProviderId | null>(null);
  const offered = order.filter((id) => providers.includes(id) && only.includes(id));

  useEffect(() => {
    // The browser's back button may restore this page from the back-forward cache, with the button still busy.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(null);
    addEventListener('pageshow', returned);
    return () => removeEventListener('pageshow', returned);
  }, []);

  async function leaveFor(provider: ProviderId) {
    if (leaving) return;
    setLeaving(provider);
    const brief = isBrief();
    try {
      const { data } = await call('POST /api/auth/sign-in/social', {
        body: { provider, callbackURL: returnTo, errorCallbackURL: page, rememberMe: !brief },
      });
      if (brief) noteBriefLogin();
      rememberReturnPath(returnTo);
      location.assign(data.url);
    } catch (problem) {
      setLeaving(null);
      onError(authErrorText(problem, words));
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
