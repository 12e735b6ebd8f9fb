import { loginFrom } from '../paths.ts';
import { ApiProblem, call } from './client.ts';
import { noteForcedLogout, postSignOut, removeAccessToken, storeAccessToken, storedAccessToken } from './session.ts';

/** Renewed this long before it runs out. */
const EARLY_MS = 5 * 60_000;
/** After a failure, and never more often than this. */
const AGAIN_MS = 60_000;

type Outside = {
  ask: (email: string) => Promise<{ token: string; lastsMs: number }>;
  /** Ends the sign-in and goes to the login page. */
  leave: () => Promise<void>;
};

/** One person's access token: asked for once they are signed in, kept, and renewed while the page is open. */
export function accessTokens({ ask, leave }: Outside) {
  let owner = Promise.withResolvers<string>();
  let asking: Promise<string> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tellEnded = () => {};

  /** From now on `email` has a token. `ended` is called when the server no longer knows the sign-in. */
  function keepFor(email: string, ended: () => void): () => void {
    owner.resolve(email);
    tellEnded = ended;
    void keep();
    return () => {
      clearTimeout(timer);
      owner = Promise.withResolvers();
      asking = null;
      removeAccessToken();
    };
  }

  async function keep(): Promise<void> {
    const mine = owner;
    try {
      await renew();
    } catch (problem) {
      if (mine !== owner) return;
      if (isRefusal(problem)) tellEnded();
      else timer = setTimeout(keep, AGAIN_MS);
    }
  }

  /** Many may ask at once; one question goes out. */
  function renew(): Promise<string> {
    const question = asking ?? fresh();
    asking = question;
    const answered = () => {
      if (asking === question) asking = null;
    };
    question.then(answered, answered);
    return question;
  }

  async function fresh(): Promise<string> {
    const mine = owner;
    const { token, lastsMs } = await ask(await mine.promise);
    if (mine !== owner) throw new Error('Signed out meanwhile');
    storeAccessToken(token);
    clearTimeout(timer);
    timer = setTimeout(keep, Math.max(lastsMs - EARLY_MS, AGAIN_MS));
    return token;
  }

  /**
   * Calls with the access token. A refusal is met with a new token, once; the second one ends the sign-in and leads to
   * the login page.
   */
  async function withAccessToken<T>(calling: (token: string) => Promise<T>): Promise<T> {
    try {
      return await calling(storedAccessToken() ?? (await renew()));
    } catch (problem) {
      if (!isRefusal(problem)) throw problem;
    }
    try {
      return await calling(await renew());
    } catch (problem) {
      if (isRefusal(problem)) await leave();
      throw problem;
    }
  }

  return { keepFor, withAccessToken };
}

export const { keepFor, withAccessToken } = accessTokens({
  ask: async (email) => {
    const { data, headers } = await call('POST /login', { body: { email } });
    // By the server's own clock: the one of this machine may be wrong.
    const now = Date.parse(headers.get('date') ?? '') || Date.now();
    return { token: data.accessToken, lastsMs: Date.parse(data.expiresAt) - now };
  },
  leave: async () => {
    await postSignOut().catch(removeAccessToken);
    noteForcedLogout();
    location.assign(loginFrom(location));
  },
});

function isRefusal(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.status === 401 || problem.status === 403);
}
