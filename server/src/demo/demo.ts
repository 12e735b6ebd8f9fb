import { demoRoutes } from './demo.routes.ts';
import { DEMO_DEALER } from './demo-dealer.ts';
import { oauthServer } from './oauth-server.ts';
import { outbox } from './outbox.ts';

/** Everything that exists in demo mode only. */
export async function makeDemo(clock: () => number) {
  return { dealer: DEMO_DEALER.email, outbox: outbox(), oauth: oauthServer(clock), routes: demoRoutes };
}
