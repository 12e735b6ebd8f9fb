import { loginFrom } from '../paths.ts';
import { ApiProblem, call, expectedUser } from './client.ts';
import {
  fetchSession,
  noteForcedLogout,
  postSignOut,
  removeAccessToken,
  storeAccessToken,
  storedAccessToken,
} from './session.ts';

/** A token is renewed this long before it expires. */
const RENEW_EARLY_MS = 5 * 60_000;
/** The pause after a failure, and the shortest pause between renewals. */
const RETRY_MS = 60_000;

type Dependencies = {
  fetchToken: (email: string) => Promise<{ token: string; lifetimeMs: number }>;
  /** Signs out and opens the login page. */
  signOut: () => Promise<void>;
};

/** Manages the access token of one user: requested after the sign-in, stored, and renewed while the page is open. */
export function createAccessTokens({ fetchToken, signOut }: Dependencies) {
  let email = Promise.withResolvers<string>();
  let inFlight: Promise<string> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let signedOut = () => {};

  /**
   * Keeps a valid token for this user until the returned function is called. Calls `onSignedOut` if the session has
   * ended.
   */
  function maintainTokenFor(address: string, onSignedOut: () => void): () => void {
    email.resolve(address);
    signedOut = onSignedOut;
    void renewOrRetry();
    return () => {
      clearTimeout(timer);
      email = Promise.withResolvers();
      inFlight = null;
      removeAccessToken();
    };
  }

  async function renewOrRetry(): Promise<void> {
    const current = email;
    try {
      await renew();
    } catch (problem) {
      if (current !== email) return;
      if (isRefusal(problem)) signedOut();
      else timer = setTimeout(renewOrRetry, RETRY_MS);
    }
  }

  /** Renews the token. Calls at the same time share one request. */
  function renew(): Promise<string> {
    const request = inFlight ?? requestToken();
    inFlight = request;
    const settled = () => {
      if (inFlight === request) inFlight = null;
    };
    request.then(settled, settled);
    return request;
  }

  async function requestToken(): Promise<string> {
    const current = email;
    const { token, lifetimeMs } = await fetchToken(await current.promise);
    if (current !== email) throw new Error('Signed out meanwhile');
    storeAccessToken(token);
    clearTimeout(timer);
    timer = setTimeout(renewOrRetry, Math.max(lifetimeMs - RENEW_EARLY_MS, RETRY_MS));
    return token;
  }

  /**
   * Makes a request with the access token. If it is refused, repeats it once with a new token; a second refusal logs
   * the user out.
   */
  async function withAccessToken<T>(request: (token: string) => Promise<T>): Promise<T> {
    try {
      return await request(storedAccessToken() ?? (await renew()));
    } catch (problem) {
      if (!isRefusal(problem)) throw problem;
    }
    try {
      return await request(await renew());
    } catch (problem) {
      if (isRefusal(problem)) await signOut();
      throw problem;
    }
  }

  return { maintainTokenFor, withAccessToken };
}

export const { maintainTokenFor, withAccessToken } = createAccessTokens({
  fetchToken: async (email) => {
    const { data, headers } = await call('POST /login', { body: { email } });
    // Uses the server's clock, because the clock of this device may be wrong.
    const now = Date.parse(headers.get('date') ?? '') || Date.now();
    return { token: data.accessToken, lifetimeMs: Date.parse(data.expiresAt) - now };
  },
  signOut: async () => {
    // Noted first, because the page may follow another sign-in while the server answers.
    const userId = expectedUser() ?? '';
    // Refused because somebody else has logged in meanwhile, whose session must not end.
    const now = await fetchSession().catch(() => null);
    if (now !== null && now.id !== userId) return location.reload();
    await postSignOut(userId).catch(removeAccessToken);
    noteForcedLogout();
    location.assign(loginFrom(location));
  },
});

function isRefusal(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.status === 401 || problem.status === 403);
}
