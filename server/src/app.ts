import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify';
import { houseAccess, openAccess } from './access/access.ts';
import { scheduleAlertEmails } from './alerts/alert-scheduler.ts';
import { alertRoutes } from './alerts/alerts.routes.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { apiKeyFinder } from './api-keys/api-keys.ts';
import { bulkRoutes } from './bulk/bulk.routes.ts';
import { codeRoutes } from './codes/codes.routes.ts';
import { type Config, originOf } from './config.ts';
import { countRoutes } from './counts/counts.routes.ts';
import { createCache } from './db/core/cache.ts';
import type { Db } from './db/core/database.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { feedRoutes } from './feed/feed.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { houseRoutes } from './houses/houses.routes.ts';
import { houseInvitations } from './houses/invitations.store.ts';
import { memberFinder } from './houses/member-finder.ts';
import { findHouseOf, findMembershipIn } from './houses/members.store.ts';
import { operatorRoutes } from './houses/operator.routes.ts';
import { logRequests } from './http/access-log.ts';
import { BATCH_LIMITS, CHANGE_LIMITS, personBudgets } from './http/budgets.ts';
import { limitConnections, limitPipelining } from './http/connections.ts';
import { rememberDataVersions } from './http/data-version.ts';
import { securityHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { acceptOnlyJson } from './http/json.ts';
import { LIMITS as LONG_QUESTION_LIMITS, READ_LIMITS } from './http/long-questions.ts';
import { handleMalformedRequests } from './http/malformed-request.ts';
import { metricsRoute } from './http/metrics.ts';
import { refuseOverload } from './http/overload.ts';
import { personTurns } from './http/person-turns.ts';
import { Problem, sendProblem } from './http/problem.ts';
import { requestEnds } from './http/request-end.ts';
import { refuseCrossSite } from './http/same-origin.ts';
import { rememberSenders, type WhoIs } from './http/session.ts';
import { countUnsentAnswers } from './http/unsent-answers.ts';
import { accessTokens } from './identity/access-token.ts';
import { identityRoutes } from './identity/identity.routes.ts';
import { makeIdentity } from './identity/identity.ts';
import { type PasswordHasher, passwordHasher } from './identity/passwords.ts';
import { hasStandIn, nameIssuerOfOldAccounts } from './identity/providers.ts';
import { whoIsFrom } from './identity/who-is.ts';
import { insightRoutes } from './insights/insights.routes.ts';
import { itemRoutes } from './items/items.routes.ts';
import { stockRoutes } from './ledger/ledger.routes.ts';
import { type Mailer, smtpMailer } from './mail/mailer.ts';
import { pictureRoutes, uploadsFolder } from './pictures/pictures.routes.ts';
import { pictureKeeper } from './pictures/uploads.store.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { siteRoutes } from './site/site.routes.ts';
import { asOfRoutes } from './time-machine/time-machine.routes.ts';
import { exportRoutes } from './transfer/exports.routes.ts';
import { importRunner } from './transfer/import-runner.ts';
import { importRoutes } from './transfer/imports.routes.ts';
import { viewRoutes } from './views/views.routes.ts';
import { webhookDispatcher } from './webhooks/webhook-dispatcher.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

const BODY_LIMIT = 64 * 1024;
const MAX_CONNECTIONS = 4_000;
const WEB_ROOT = join(import.meta.dirname, '../../web/dist');

export type AppParts = {
  config: Config;
  db: Db;
  clock?: () => number;
  whoIs?: WhoIs;
  /** The password hasher. Tests pass a faster one. */
  passwords?: PasswordHasher;
  logTo?: { write(line: string): void };
  /** The folder of the built front end. */
  webRoot?: string;
  /** Called for every route that is registered. Tests use it to check that no route is forgotten. */
  onRoute?: (route: RouteOptions) => void;
};

/** Builds the whole server. It does not listen yet. */
export async function buildApp({
  config,
  db,
  clock = Date.now,
  whoIs,
  passwords = passwordHasher,
  logTo,
  webRoot = WEB_ROOT,
  onRoute,
}: AppParts): Promise<FastifyInstance> {
  const malformedRequests = handleMalformedRequests(config);
  const app = Fastify({
    ...malformedRequests.options,
    bodyLimit: BODY_LIMIT,
    connectionTimeout: 30_000,
    requestTimeout: 15_000,
    // Node looks for requests past their time limit every 30 seconds, unless told otherwise.
    http: { ...malformedRequests.options.http, connectionsCheckingInterval: 5_000 },
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // No child logger per request: it would cost more than the request, and every log line already carries its request
    // id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    logger: {
      level: config.logLevel,
      // Logs only method and route, because URLs contain email addresses and headers contain secrets.
      serializers: { req: (request) => ({ method: request.method, route: request.routeOptions?.url ?? 'none' }) },
      redact: [
        'req.headers',
        '*.password',
        '*.token',
        '*.accessToken',
        '*.cookie',
        '*.authorization',
        'err.parameters',
      ],
      ...(logTo ? { stream: logTo } : {}),
    },
  });
  app.server.headersTimeout = 10_000;
  app.server.maxConnections = MAX_CONNECTIONS;
  // Behind a proxy every connection comes from the proxy, which has limits of its own.
  if (config.trustProxy.length === 0) limitConnections(app.server, MAX_CONNECTIONS / 4);

  if (onRoute) app.addHook('onRoute', onRoute);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => sendProblem(new Problem('not_found'), request, reply));
  const onRequestEnd = requestEnds(app);
  limitPipelining(app, onRequestEnd);
  securityHeaders(app, config);
  malformedRequests.attach(app);
  const load = refuseOverload(app);
  refuseCrossSite(app, config);
  acceptOnlyJson(app);
  const budgets = personBudgets(clock, config.budgetFactor);
  const hasTooMuchUnsent = countUnsentAnswers(app);
  logRequests(app, onRequestEnd, clock, budgets);
  rememberDataVersions(app);
  rememberSenders(app);

  const tokens = accessTokens(config, clock);
  const cache = createCache(db);
  const demo = config.demo ? await (await import('./demo/demo.ts')).makeDemo(clock) : null;
  const identity = makeIdentity({
    config,
    db,
    clock,
    mailer: mailerFor(config, app, demo?.outbox ?? null),
    passwords,
    origin: () => ownOrigin(app, config),
    standIn: demo && hasStandIn(config) ? demo.oauth.source : null,
    sharedAccount: demo?.dealer ?? null,
    log: app.log,
  });
  await nameIssuerOfOldAccounts(db, config);
  const apiKeys = apiKeyFinder(app, { db, cache, clock });
  const memberOf = memberFinder(db, cache, clock);
  // A benchmark sends as one person what a whole warehouse sends.
  const people = Math.max(1, config.budgetFactor);
  const deps = {
    config,
    db,
    cache,
    clock,
    tokens,
    identity,
    whoIs: whoIs ?? {
      ...whoIsFrom(db, cache, identity.cookies, clock, tokens, identity.afterResponse),
      byKey: apiKeys.byKey,
    },
    memberOf,
    access:
      config.access === 'open'
        ? openAccess(db)
        : houseAccess(db, {
            memberOf,
            houseOf: (user) => findHouseOf(db.query, user.id),
            roleIn: async (userId, house) => (await findMembershipIn(db.query, userId, house))?.role ?? null,
          }),
    limitLongQuestions: personTurns(LONG_QUESTION_LIMITS),
    limitReads: personTurns({ ...READ_LIMITS, waiting: READ_LIMITS.waiting * people }),
    hasTooMuchUnsent,
    limitBatches: personTurns(BATCH_LIMITS),
    limitChanges: personTurns({ ...CHANGE_LIMITS, running: CHANGE_LIMITS.running * people }),
    budgets,
    keepPicture: pictureKeeper(db, uploadsFolder(config)),
  };

  healthRoutes(app, db);
  metricsRoute(app, onRequestEnd, {
    http_requests_in_flight: load.inFlight,
    nodejs_event_loop_delay_ms: load.delayMs,
    password_requests_pending: identity.hashing.size,
  });
  identityRoutes(app, { ...deps, houseInvitations });
  apiKeyRoutes(app, { ...deps, apiKeys });
  houseRoutes(app, deps);
  operatorRoutes(app, deps);
  itemRoutes(app, deps);
  pictureRoutes(app, deps);
  stockRoutes(app, deps);
  codeRoutes(app, deps);
  viewRoutes(app, deps);
  historyRoutes(app, deps);
  bulkRoutes(app, deps);
  importRoutes(app, { ...deps, runner: importRunner(app, deps) });
  exportRoutes(app, deps);
  countRoutes(app, deps);
  webhookRoutes(app, {
    ...deps,
    dispatcher: webhookDispatcher(app, {
      config,
      db,
      clock,
      attempts: identity.attempts,
      mailer: identity.mailer,
      address: identity.origin,
    }),
  });
  settingsRoutes(app, deps);
  alertRoutes(app, deps);
  scheduleAlertEmails(app, { db, access: config.access, clock, mailer: identity.mailer, address: identity.origin });
  asOfRoutes(app, deps);
  insightRoutes(app, deps);
  feedRoutes(app, deps);
  docsRoutes(app, { support: config.contact.technical, webRoot });
  if (demo) demo.routes(app, { ...deps, demo });
  siteRoutes(app, { ...deps, webRoot, ownOrigin: () => ownOrigin(app, config) });
  return app;
}

/** Returns the SMTP mailer or, in a demo without SMTP, the outbox in which the demo shows its emails. */
function mailerFor(config: Config, app: FastifyInstance, outbox: Mailer | null): Mailer {
  if (config.mail) return smtpMailer(config.mail, app.log);
  if (outbox) return outbox;
  throw new Error('SMTP_URL is required outside demo mode');
}

/** Returns the origin for links and redirects. Never taken from a request. */
export function ownOrigin(app: FastifyInstance, config: Config): string {
  const listening = app.server.address();
  const port = typeof listening === 'object' && listening ? listening.port : config.port;
  return originOf({ ...config, port });
}
