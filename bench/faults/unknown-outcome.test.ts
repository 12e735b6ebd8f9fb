import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerOf, signIn } from '../shop.ts';
import { type PostgresEnvironment, postgresEnvironment } from './environment-postgres.ts';
import { uuidOf } from './random.ts';
import { exchange, requestFor } from './wire.ts';

let environment: PostgresEnvironment;
beforeAll(async () => {
  environment = await postgresEnvironment({ servers: ['one'] });
}, 180_000);
afterAll(() => environment.close());

const NOWHERE = 1;

test('never claims that nothing was changed when the response to a commit is lost and the database stays down', async () => {
  const [proxy] = environment.proxies;
  if (!proxy) throw new Error('an environment has a proxy');
  const url = `http://127.0.0.1:${proxy.port}`;
  const cookie = await signIn(url);
  const made = await exchange(
    proxy,
    requestFor({ what: 'create', name: 'Rose', quantity: 10 }, uuidOf('made'), cookie),
    { timeoutMs: 8_000 },
  );
  const item = (JSON.parse(made?.body ?? '{}') as { _id?: string })._id ?? '';
  const key = uuidOf('unsure');
  const click = () => exchange(proxy, requestFor({ what: 'move', item, delta: -1 }, key, cookie), { timeoutMs: 8_000 });

  environment.proxy.loseResponseTo(key, () => {
    environment.proxy.routeTo(NOWHERE);
    environment.proxy.cut();
  });
  const unsure = await click();
  expect([unsure?.status, JSON.parse(unsure?.body ?? '{}').code]).toEqual([503, 'outcome_unknown']);

  environment.proxy.routeTo(Number(new URL(environment.postgres.url()).port));
  expect((await click())?.status).toBe(201);
  expect((await ledgerOf(url, cookie, item)).filter(({ id }) => id === key)).toHaveLength(1);
}, 180_000);
