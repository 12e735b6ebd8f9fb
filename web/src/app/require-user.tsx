import { type ReactNode, useEffect } from 'react';
import { useBoot } from '../api/boot.ts';
import { call } from '../api/client.ts';
import { page } from '../lazy/page.tsx';
import { useSession } from '../live/session-provider.tsx';
import { loginFrom, paths } from '../paths.ts';
import { LoadingView } from '../ui/loading-view.tsx';
import { Navigate, useLocation } from '../ui/router.tsx';
import { useWords } from '../words/words.tsx';

const VerifyGate = page({
  source: 'src/features/identity/verify-gate.tsx',
  load: async () => (await import('../features/identity/verify-gate.tsx')).VerifyGate,
  words: ['identity', 'email-links'],
  title: 'title.verify',
});

/**
 * Redirects signed-out users to the login page, which remembers where they came from. Users whose email address is not
 * verified see a request to verify it instead of the page, and those who have left all houses the form to create one.
 */
export function RequireUser({ children }: { children: ReactNode }) {
  const { user, access } = useBoot();
  const location = useLocation();
  if (user === null) return <Navigate to={loginFrom(location)} />;
  if (!user.emailVerified) return <VerifyGate />;
  if (user.house === undefined && access === 'houses') return <FirstHouse />;
  if (user.house === null && location.pathname !== paths.settings) return <Navigate to={paths.settings} />;
  return children;
}

const RETRY_MS = 3_000;

/**
 * Asks the server for the first house of a new user before anything of the dashboard starts: what is stored on this
 * device belongs to a house.
 */
function FirstHouse() {
  const { say } = useWords();
  const { refreshSession } = useSession();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const open = async () => {
      await call('GET /houses').then(refreshSession, () => {});
      if (!isGone) timer = setTimeout(() => void open(), RETRY_MS);
    };
    void open();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [refreshSession]);
  return <LoadingView text={say('Loading...')} stay={say('loading.stay')} />;
}
