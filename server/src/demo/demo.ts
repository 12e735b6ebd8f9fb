import { demoRoutes } from './demo.routes.ts';
import { oauthServer } from './oauth-server.ts';
import { outbox } from './outbox.ts';

/** Everything that exists in demo mode only. */
export async function makeDemo(clock: () => number) {
  return { outbox: outbox(), oauth: oauthServer(clock), routes: demoRoutes };
}
