import type { WireUser } from '@perfume/contract/identity';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { BootContext, type PageBoot } from '../api/boot.ts';
import { onSignInRefused } from '../api/client.ts';
import {
  fetchSession,
  noteForcedLogout,
  notifyOtherTabs,
  onOtherTabChange,
  removeAccessToken,
} from '../api/session.ts';
import { isDashboardPath, paths } from '../paths.ts';
import { LoadingView } from '../ui/loading-view.tsx';
import { notify } from '../ui/toast.ts';
import { loadArea } from '../words/catalogues.ts';
import { useWords } from '../words/words.tsx';
import { afterLookingAgain } from './sign-in-changes.ts';

type SignIn = {
  /** Somebody has just signed in here. */
  setUser: (user: WireUser) => void;
  /** The sign-in of this browser has just ended, with nothing of the person in memory. */
  clearUser: () => void;
  /** Asks the server who is signed in. Undefined when it could not be asked. */
  refreshSession: () => Promise<WireUser | null | undefined>;
};

const SignInContext = createContext<SignIn | null>(null);

export function useSession(): SignIn {
  const signIn = use(SignInContext);
  if (signIn === null) throw new Error('useSession outside SessionProvider');
  return signIn;
}

/** A tab that comes back to the front looks again, but not more often than this. */
const GLANCE_MS = 30_000;

/**
 * Who is signed in. The page brings the answer along; where it does not, the loading view stands in for everything
 * until the server has been asked. Other tabs are followed.
 */
export function SessionProvider({ boot, children }: { boot: PageBoot; children: ReactNode }) {
  const { say } = useWords();
  const [user, setUser] = useState(boot.user);
  const latest = useRef(user);
  latest.current = user;

  const refreshSession = useCallback(async () => {
    const now = await fetchSession().catch(() => undefined);
    if (now === undefined) return undefined;
    if (afterLookingAgain(latest.current, now) === 'start anew') {
      removeAccessToken();
      // The page for a new password holds the only copy of its link.
      if (location.pathname !== paths.resetPassword) {
        if (now === null && isDashboardPath(location.pathname)) noteForcedLogout();
        location.reload();
        return now;
      }
    }
    setUser(now);
    return now;
  }, []);

  const unknown = user === undefined;
  useEffect(() => {
    // Without an answer, public pages are still good to read.
    if (unknown) void refreshSession().then((now) => now === undefined && setUser(null));
  }, [unknown, refreshSession]);

  useEffect(() => onSignInRefused(refreshSession), [refreshSession]);
  useOtherTabs(latest, refreshSession);
  useAccessToken(user, refreshSession);
  const brokenLink = useBrokenLink();

  const signIn = useMemo<SignIn>(
    () => ({
      setUser: (arrived) => {
        setUser(arrived);
        notifyOtherTabs();
      },
      clearUser: () => {
        removeAccessToken();
        setUser(null);
        notifyOtherTabs();
      },
      refreshSession,
    }),
    [refreshSession],
  );
  const known = useMemo(() => (user === undefined ? null : { ...boot, user }), [boot, user]);

  if (known === null) return <LoadingView text={say('Loading...')} stay={say('loading.stay')} />;
  if (brokenLink) return null;
  return (
    <BootContext value={known}>
      <SignInContext value={signIn}>{children}</SignInContext>
    </BootContext>
  );
}

function useOtherTabs(latest: { current: WireUser | null | undefined }, refreshSession: () => Promise<unknown>): void {
  useEffect(() => {
    let lookedAt = Date.now();
    const look = () => {
      lookedAt = Date.now();
      void refreshSession();
    };
    const stopHearing = onOtherTabChange((news) => {
      // A token that another tab renewed says nothing new to somebody who has one.
      if (news !== 'token came' || !latest.current?.emailVerified) look();
    });
    const glance = () => {
      if (document.visibilityState === 'visible' && latest.current && Date.now() - lookedAt > GLANCE_MS) look();
    };
    // A page that the browser kept in memory may be of another time.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && look();
    document.addEventListener('visibilitychange', glance);
    addEventListener('pageshow', returned);
    return () => {
      stopHearing();
      document.removeEventListener('visibilitychange', glance);
      removeEventListener('pageshow', returned);
    };
  }, [latest, refreshSession]);
}

/** The spec's access token, for whoever may have one. Its code comes with the first such person. */
function useAccessToken(user: WireUser | null | undefined, refreshSession: () => Promise<unknown>): void {
  const owner = user?.emailVerified ? user.email : null;
  useEffect(() => {
    if (owner === null) return;
    let stop: (() => void) | 'at once' | undefined;
    void import('../api/access-token.ts').then(({ keepFor }) => {
      if (stop !== 'at once') stop = keepFor(owner, refreshSession);
    });
    return () => {
      if (typeof stop === 'function') stop();
      stop = 'at once';
    };
  }, [owner, refreshSession]);
}

/** A verification link that did not work comes back with an error in its address: it is said once, then taken off. */
function useBrokenLink(): boolean {
  const { say, language } = useWords();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const isDoor = pathname === paths.login || pathname === paths.register;
  const broken = !isDoor && new URLSearchParams(search).get('error') === 'invalid_link';
  useEffect(() => {
    if (!broken) return;
    const params = new URLSearchParams(search);
    params.delete('error');
    navigate({ pathname, search: params.size > 0 ? `?${params}` : '', hash }, { replace: true });
    void loadArea(language, 'identity').then(() =>
      notify({ kind: 'error', id: 'invalidLink', text: say('authProblem.invalid_link') }),
    );
  }, [broken, pathname, search, hash, navigate, language, say]);
  return broken;
}
