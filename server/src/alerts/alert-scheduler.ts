import { setTimeout as wait } from 'node:timers/promises';
import { lastDigestTime } from '@perfume/domain/alerts';
import type { FastifyInstance } from 'fastify';
import { personBudget } from '../http/budgets.ts';
import { propagatePublished } from '../items/published.store.ts';
import { propagateReorderPoint } from '../items/reorder-point.store.ts';
import { type AlertEmailDeps, sendDigests, sendInstantAlerts } from './alert-emails.ts';
import { pruneAlerts } from './alerts.store.ts';
import { anyDigestDue } from './digest.store.ts';
import type { ReaderPosition } from './view-emails.store.ts';
import { LOOK_BUDGET, sendViewEmails } from './view-emails.ts';

type Timing = {
  /** Alerts raised within this time of each other share an email. */
  debounceMs: number;
  checkEveryMs: number;
  /** The pause between groups of digests, so that the mail server can keep up. */
  digestPauseMs: number;
  /** The minimum time between two looks at saved views, each at some of them. */
  viewsEveryMs: number;
};
type Log = { warn(facts: object, message: string): void };

const defaultTiming: Timing = { debounceMs: 3_000, checkEveryMs: 60_000, digestPauseMs: 2_000, viewsEveryMs: 5_000 };

/** Runs the scheduler from the moment the server listens until it closes. */
export function scheduleAlertEmails(app: FastifyInstance, deps: AlertEmailDeps): void {
  let stop = async () => {};
  app.addHook('onListen', async () => {
    stop = startAlertScheduler({ ...deps, log: app.log });
  });
  // The mailer closes after this hook, so it still accepts an email that is being written now.
  app.addHook('preClose', () => stop());
}

/** Sends instant alerts, emails about saved views and digests until the returned function is called. Several servers may share one database. */
export function startAlertScheduler(
  deps: AlertEmailDeps & { log: Log },
  { debounceMs, checkEveryMs, digestPauseMs, viewsEveryMs }: Timing = defaultTiming,
): () => Promise<void> {
  const { db, access, clock, log } = deps;
  const end = new AbortController();
  let debounce: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  /** The digest time whose digests have all been sent, as far as this server knows. */
  let digestsSentFor = 0;

  /** Runs one task after another. When the database is unavailable, the next check tries again. */
  function run(task: () => Promise<void>): void {
    running = running.then(task).catch((error: Error) => log.warn({ err: error }, 'alert emails could not be sent'));
  }

  function sendAlertsSoon(): void {
    if (debounce || end.signal.aborted) return;
    debounce = setTimeout(() => {
      debounce = undefined;
      run(async () => {
        // At once, portion by portion: alerts that wait are read by every bell.
        while (!end.signal.aborted && (await sendInstantAlerts(deps)));
      });
    }, debounceMs);
    debounce.unref();
  }

  let viewCheck: NodeJS.Timeout | undefined;
  /** After which reader of a view to go on, while not all have had their turn. */
  let viewsAfter: ReaderPosition | null = null;
  /** Whether anything may have changed since the first turn. */
  let isChanged = false;
  const looks = personBudget(LOOK_BUDGET, clock);
  /** Views have a chain of their own: a slow search must not delay an alert. */
  let lookingAtViews: Promise<unknown> = Promise.resolve();

  async function lookAtViews(): Promise<void> {
    if (viewsAfter === null) isChanged = false;
    try {
      viewsAfter = await sendViewEmails(deps, viewsAfter, looks);
    } finally {
      viewCheck = undefined;
    }
    if (viewsAfter !== null || isChanged) checkViewsSoon();
  }

  function checkViewsSoon(): void {
    if (viewCheck || end.signal.aborted) return;
    viewCheck = setTimeout(() => {
      lookingAtViews = lookAtViews().catch((error: Error) =>
        log.warn({ err: error }, 'saved views could not be looked at'),
      );
    }, viewsEveryMs);
    viewCheck.unref();
  }

  function sendSoon(): void {
    sendAlertsSoon();
    isChanged = true;
    checkViewsSoon();
  }

  async function sendDueDigests(): Promise<void> {
    const time = lastDigestTime(clock());
    if (time === digestsSentFor) return;
    while ((await sendDigests(deps)) > 0) {
      await wait(digestPauseMs, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (end.signal.aborted) return;
    }
    // Digests that are still due are being claimed by another server. If that server crashes, the next check sends
    // them.
    if (await anyDigestDue(db.query, access, time)) return;
    await pruneAlerts(db, clock());
    digestsSentFor = time;
  }

  const stopListening = db.onCommit(sendSoon);
  // The regular check does what another server left unfinished, what came due while no server ran, and what failed last
  // time.
  const check = () => {
    run(() => propagateReorderPoint(db, clock()));
    run(() => propagatePublished(db));
    sendSoon();
    run(sendDueDigests);
  };
  const checks = setInterval(check, checkEveryMs);
  checks.unref();
  check();

  return async () => {
    end.abort();
    stopListening();
    clearTimeout(debounce);
    clearTimeout(viewCheck);
    clearInterval(checks);
    await running;
    await lookingAtViews;
  };
}
