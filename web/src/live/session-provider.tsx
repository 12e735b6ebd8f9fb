import type { WireUser } from '@perfume/contract/identity';
import {
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { BootContext, type PageBoot } from '../api/boot.ts';
import { callAs, onSignInRefused } from '../api/client.ts';
import { isLogOutKept } from '../api/log-out-note.ts';
import {
  clearTabStorage,
  countEntriesOf,
  countEntriesOnlyInMemory,
  draftsOf,
  fetchSession,
  finishLogOut,
  hasLeft,
  isLoggingOut,
  noteForcedLogout,
  noteSignedIn,
  notifyOtherTabs,
  onOtherTabChange,
  openOtherHouse,
  rememberedUser,
  removeAccessToken,
  startLogOut,
} from '../api/session.ts';
import { isDashboardPath, paths } from '../paths.ts';
import { LoadingView } from '../ui/loading-view.tsx';
import { useWords } from '../words/words.tsx';
import { queueState } from './active-queue.ts';
import type { LogOutQuestionProps } from './log-out-question.tsx';
import { hasMoved, mustReload } from './must-reload.ts';

type Session = {
  /** Call this after a login or a profile change. */
  setUser: (user: WireUser) => void;
  /** Call this after the session of this browser has ended and the user's data has been cleared from memory. */
  clearUser: () => void;
  /** Logs out and clears this browser. Asks first if that would discard unsaved items or edits. */
  logOut: () => void;
  /** Fetches the signed-in user from the server. Resolves to undefined when there was no reply. */
  refreshSession: () => Promise<WireUser | null | undefined>;
};

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession outside SessionProvider');
  return session;
}

/** The pages behind the links in emails. A reload would lose the token of the link, which is no longer in the address. */
const linkPages: string[] = [paths.resetPassword, paths.verifyEmail, paths.invitation];

/** A tab that becomes visible refreshes the session, at most this often. */
const REFRESH_EVERY_MS = 30_000;

/**
 * Provides the signed-in user, and follows sign-ins and sign-outs in other tabs. The user usually comes with the HTML;
 * if not, the loading view is shown until the server has answered.
 */
export function SessionProvider({ boot, children }: { boot: PageBoot; children: ReactNode }) {
  const { say } = useWords();
  const [user, setUser] = useState(boot.user);
  // The tab in which the user logs out ends at the home page. Others stay at their address, which may ask to log in.
  const [leaving, setLeaving] = useState<'here' | 'elsewhere' | null>(() => (isLoggingOut() ? 'elsewhere' : null));
  const [Question, setQuestion] = useState<ComponentType<LogOutQuestionProps> | null>(null);
  const latest = useRef(user);
  latest.current = user;

  // Before any request of the pages inside, whose effects run later.
  useLayoutEffect(() => callAs(user ?? null), [user]);
  useEffect(() => {
    if (boot.user !== undefined) noteSignedIn(boot.user);
  }, [boot.user]);

  /** Shows the user, or opens the other house if the user works in another one by now. */
  const show = useCallback((now: WireUser | null) => {
    if (!hasMoved(latest.current, now) || linkPages.includes(location.pathname)) setUser(now);
    else if (isDashboardPath(location.pathname)) openOtherHouse(paths.adminHome);
    else location.reload();
  }, []);

  const refreshSession = useCallback(async () => {
    const now = await fetchSession().catch(() => undefined);
    if (now === undefined) return undefined;
    noteSignedIn(now);
    if (mustReload(latest.current, now)) {
      removeAccessToken();
      if (!linkPages.includes(location.pathname)) {
        if (now === null && isDashboardPath(location.pathname)) noteForcedLogout(queueState.get().changes.length);
        location.reload();
        return now;
      }
    }
    show(now);
    return now;
  }, [show]);

  useEffect(() => {
    if (leaving === null) return;
    void finishLogOut().then(() => {
      // Loads a page from the server, so that no data of the user stays in memory.
      if (leaving === 'here') return location.assign(paths.home);
      if (isDashboardPath(location.pathname)) noteForcedLogout(queueState.get().changes.length);
      location.reload();
    });
  }, [leaving]);

  const leave = useCallback(() => {
    if (latest.current) startLogOut(latest.current);
    setLeaving('here');
  }, []);

  const logOut = useCallback(() => {
    const count = latest.current ? draftsOf(latest.current.id).length : 0;
    const unsent = queueState.get().changes.length;
    const entries = latest.current ? countEntriesOf(latest.current.id).length : 0;
    if (count + unsent + entries === 0) return leave();
    const entriesText = countEntriesOnlyInMemory().length > 0 ? 'account.entriesLost' : 'account.unsentEntries';
    const text = count > 0 ? 'account.unsaved' : unsent > 0 ? 'account.unsent' : entriesText;
    import('./log-out-question.tsx').then(
      ({ LogOutQuestion }) => setQuestion(() => LogOutQuestion),
      // The dialog could not be loaded, but logging out also works without a connection.
      () => window.confirm(say(text, { count: count || unsent || entries })) && leave(),
    );
  }, [leave, say]);

  const unknown = user === undefined && leaving === null;
  useEffect(() => {
    if (!unknown) return;
    // The page was opened without a connection: it shows what the last user saw here, until the server answers.
    const last = rememberedUser();
    if (last) setUser(last);
    // Without a reply an unknown user counts as signed out, so that public pages can still be read.
    void refreshSession().then((now) => now === undefined && setUser(last));
  }, [unknown, refreshSession]);

  useEffect(() => onSignInRefused(refreshSession), [refreshSession]);
  useOtherTabs(latest, refreshSession, setLeaving);
  useAccessToken(leaving === null ? user : null, refreshSession);

  const session = useMemo<Session>(
    () => ({
      setUser: (next) => {
        noteSignedIn(next);
        notifyOtherTabs();
        show(next);
      },
      clearUser: () => {
        noteSignedIn(null);
        removeAccessToken();
        setUser(null);
        notifyOtherTabs();
      },
      logOut,
      refreshSession,
    }),
    [logOut, refreshSession, show],
  );
  const known = useMemo(() => (user === undefined ? null : { ...boot, user }), [boot, user]);

  if (leaving !== null) {
    const stay = say(isLogOutKept() ? 'account.loggingOutStay' : 'account.loggingOutOpen');
    return <LoadingView text={say('account.loggingOut')} stay={stay} />;
  }
  if (known === null) return <LoadingView text={say('Loading...')} stay={say('loading.stay')} />;
  return (
    <BootContext value={known}>
      <SessionContext value={session}>
        {children}
        {Question && user && (
          <Question
            count={draftsOf(user.id).length}
            unsent={queueState.get().changes.length}
            entries={countEntriesOf(user.id).length}
            areEntriesLost={countEntriesOnlyInMemory().length > 0}
            onConfirm={leave}
            onCancel={() => setQuestion(null)}
          />
        )}
      </SessionContext>
    </BootContext>
  );
}

function useOtherTabs(
  latest: { current: WireUser | null | undefined },
  refreshSession: () => Promise<unknown>,
  setLeaving: (leaving: 'elsewhere') => void,
): void {
  useEffect(() => {
    let refreshedAt = Date.now();
    const refresh = () => {
      refreshedAt = Date.now();
      void refreshSession();
    };
    const stopListening = onOtherTabChange((change) => {
      if (typeof change === 'object') {
        // Whoever has logged in since stays, although a page of the user before them was still open.
        if (latest.current && latest.current.id !== change.loggedOut) return;
        clearTabStorage();
        return setLeaving('elsewhere');
      }
      // Other tabs store a renewed token regularly. That is no new sign-in if this tab already has a verified user.
      if (change !== 'token stored' || !latest.current?.emailVerified) refresh();
    });
    const onVisible = () => {
      if (document.visibilityState === 'visible' && latest.current && Date.now() - refreshedAt > REFRESH_EVERY_MS)
        refresh();
    };
    // A page restored from the back-forward cache may be out of date. It missed what other tabs said, and the server may
    // be out of reach.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      if (latest.current && hasLeft(latest.current)) location.reload();
      else refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    addEventListener('pageshow', onPageShow);
    return () => {
      stopListening();
      document.removeEventListener('visibilitychange', onVisible);
      removeEventListener('pageshow', onPageShow);
    };
  }, [latest, refreshSession, setLeaving]);
}

/**
 * Keeps an access token, as the spec requires, while a verified user is signed in. Its code is loaded on the first
 * sign-in.
 */
function useAccessToken(user: WireUser | null | undefined, refreshSession: () => Promise<unknown>): void {
  const owner = user?.emailVerified ? user.email : null;
  useEffect(() => {
    if (owner === null) return;
    let stop: (() => void) | undefined;
    let unmounted = false;
    void import('../api/access-token.ts').then(({ maintainTokenFor }) => {
      if (!unmounted) stop = maintainTokenFor(owner, refreshSession);
    });
    return () => {
      unmounted = true;
      stop?.();
    };
  }, [owner, refreshSession]);
}
