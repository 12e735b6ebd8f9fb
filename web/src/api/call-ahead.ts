import type { Endpoints } from '@perfume/contract/endpoints';
import { call, callerHeaders, expectedUser, type Input } from './client.ts';

type Call<R extends keyof Endpoints> = ReturnType<typeof call<R>>;

let ahead: { key: string; reply: Promise<unknown> } | null = null;
/** Whoever has not asked by then wants newer data. */
const KEPT_MS = 10_000;

/** Sends a GET request while the code that needs its data is still being loaded. `callOrAhead` gets the reply. */
export function callAhead<R extends keyof Endpoints>(route: R, input: Input<Endpoints[R]>): void {
  if (expectedUser() === null) return;
  const mine = { key: keyOf(route, input), reply: call(route, input) };
  mine.reply.catch(() => {});
  ahead = mine;
  setTimeout(() => {
    if (ahead === mine) ahead = null;
  }, KEPT_MS);
}

/** Does the same as `call`. If the same request was sent ahead, it is sent again only if it has failed. */
export function callOrAhead<R extends keyof Endpoints>(route: R, input: Input<Endpoints[R]>): Call<R> {
  if (ahead?.key !== keyOf(route, input)) return call(route, input);
  const reply = ahead.reply as Call<R>;
  ahead = null;
  return reply.catch(() => call(route, input)) as Call<R>;
}

function keyOf(route: string, { params, query }: { params?: unknown; query?: unknown }): string {
  return JSON.stringify([route, params, query, callerHeaders()]);
}
