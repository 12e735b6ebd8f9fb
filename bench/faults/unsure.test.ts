import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerOf, signIn } from '../shop.ts';
import { uuidOf } from './random.ts';
import { exchange, requestFor } from './wire.ts';
import { type PostgresWorld, postgresWorld } from './world-postgres.ts';

let world: PostgresWorld;
beforeAll(async () => {
  world = await postgresWorld({ servers: ['one'] });
}, 180_000);
afterAll(() => world.close());

const NOWHERE = 1;

test('when the answer to a commit is lost and the database then stays away, nobody is told that nothing was changed', async () => {
  const [door] = world.doors;
  if (!door) throw new Error('a world has a door');
  const url = `http://127.0.0.1:${door.port}`;
  const cookie = await signIn(url);
  const made = await exchange(
    door,
    requestFor({ what: 'create', name: 'Rose', quantity: 10 }, uuidOf('made'), cookie),
    { patienceMs: 8_000 },
  );
  const item = (JSON.parse(made?.body ?? '{}') as { _id?: string })._id ?? '';
  const key = uuidOf('unsure');
  const click = () => exchange(door, requestFor({ what: 'move', item, delta: -1 }, key, cookie), { patienceMs: 8_000 });

  world.line.loseAnswerTo(key, () => {
    world.line.leadTo(NOWHERE);
    world.line.cut();
  });
  const unsure = await click();
  expect([unsure?.status, JSON.parse(unsure?.body ?? '{}').code]).toEqual([503, 'outcome_unknown']);

  world.line.leadTo(Number(new URL(world.postgres.url()).port));
  expect((await click())?.status).toBe(201);
  expect((await ledgerOf(url, cookie, item)).filter(({ id }) => id === key)).toHaveLength(1);
}, 180_000);
