import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import {
  anItem,
  itemNow,
  newPostgresDatabase,
  type Person,
  request,
  signedInAs,
  type TestApp,
  testApp,
} from '../../testing.ts';

// These tests make PostgreSQL run out of a resource. The statement is rolled back, so the response is 503 and a retry
// is safe.

let shared: TestApp;
let person: Person;
let owner: pg.Client;

beforeAll(async () => {
  const databaseUrl = await newPostgresDatabase();
  shared = await testApp('PostgreSQL', { databaseUrl });
  person = await signedInAs(shared);
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query('create sequence tries');
});

afterAll(async () => {
  await owner.end();
  await shared.close();
});

test.each([
  ['disk', '53100', 4],
  ['memory', '53200', 4],
  ['a working disk', '58030', 4],
  // A timeout is not retried: four times ten seconds is longer than any client waits.
  ['time', '57014', 1],
])('without %s a change gets 503, and a retry counts once', async (_, code, tries) => {
  const item = await anItem(person, { quantity: 50 });
  const key = randomUUID();
  await owner.query(`alter sequence tries restart;
    create function run_out() returns trigger language plpgsql as
    $$ begin perform nextval('tries'); raise exception 'none left' using errcode = '${code}'; end $$;
    create trigger run_out before insert on stock_movements execute function run_out()`);
  const refused = await click(item._id, key);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([503, '1', 'unavailable']);
  expect((await owner.query('select last_value::int as tries from tries')).rows[0].tries).toBe(tries);
  expect((await itemNow(person, item._id))?.quantity).toBe('50');

  await owner.query('drop function run_out cascade');
  const answers = [await click(item._id, key), await click(item._id, key)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect((await itemNow(person, item._id))?.quantity).toBe('49');
});

test('a read that takes too long gets 503', async () => {
  await owner.query(`alter table items rename to items_table;
    create view items as select * from items_table where pg_sleep(60) is not null`);
  try {
    const pending = request(shared, 'GET', `/inventory-items?q=${randomUUID()}`);
    while (!(await cancelSleepers())) await new Promise((resolve) => setTimeout(resolve, 20));
    const answer = await pending;
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
  } finally {
    await owner.query('drop view items; alter table items_table rename to items');
  }
});

test('a request whose session cannot be read in time gets 503 unavailable, not outcome_unknown', async () => {
  const item = await anItem(person, { quantity: 50 });
  await owner.query('begin; lock table sign_ins in access exclusive mode');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const pending = Promise.all([person.call('GET', '/all-inventory-items'), click(item._id, randomUUID())]);
    let waiting = true;
    void pending.finally(() => {
      waiting = false;
    });
    while (!(await isWaitingForLock())) await new Promise(setImmediate);
    while (waiting) await vi.advanceTimersByTimeAsync(1_000);
    for (const answer of await pending)
      expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([503, '1', 'unavailable']);
  } finally {
    vi.useRealTimers();
    await owner.query('rollback');
  }
  expect((await itemNow(person, item._id))?.quantity).toBe('50');
});

test('stock changes do not wait for long queries, however many there are', async () => {
  const item = await anItem(person, { quantity: 50 });
  await owner.query('select pg_advisory_lock(1)');
  const blocked = Promise.allSettled(
    Array.from({ length: 20 }, () => shared.db.longQuery('select pg_advisory_xact_lock(1)', [])),
  );
  try {
    await expect.poll(isWaitingForLock).toBe(true);
    expect((await click(item._id, randomUUID())).statusCode).toBe(200);
  } finally {
    await owner.query('select pg_advisory_unlock(1)');
    await blocked;
  }
});

test('without a free connection requests get 503 with Retry-After', async () => {
  const name = `guest_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = new URL(await newPostgresDatabase());
  const root = new pg.Client({ connectionString: inject('postgresUrl') });
  await root.connect();
  await root.query(`create role ${name} login password 'guest'`);
  await root.query(`alter database ${databaseUrl.pathname.slice(1)} owner to ${name}`);
  databaseUrl.username = name;
  databaseUrl.password = 'guest';
  const crowded = await testApp('PostgreSQL', { databaseUrl: databaseUrl.href });
  try {
    const guest = await signedInAs(crowded);
    const item = await anItem(guest, { quantity: 50 });
    await root.query(`alter role ${name} connection limit 0`);
    // The timeout of 60 s makes this wait until the connections are gone. Without it, they would still answer for a
    // moment.
    await root.query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = $1', [name]);
    const refused = await guest.call('GET', `/manage-inventory?_id=${item._id}`);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await request(crowded, 'GET', '/readyz')).statusCode).toBe(503);
    await root.query(`alter role ${name} connection limit -1`);
    expect((await itemNow(guest, item._id))?.quantity).toBe('50');
  } finally {
    await crowded.close();
    await root.end();
  }
});

function click(itemId: string, key: string) {
  return person.call('PUT', `/inventory-items/${itemId}`, {
    body: { quantity: '49' },
    headers: { 'stock-base': '50', 'idempotency-key': key },
  });
}

async function isWaitingForLock(): Promise<boolean> {
  const { rows } = await owner.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

/** Cancels sleeping statements as the statement timeout would, without waiting for it. */
async function cancelSleepers(): Promise<boolean> {
  const { rows } = await owner.query(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return rows.length > 0;
}
