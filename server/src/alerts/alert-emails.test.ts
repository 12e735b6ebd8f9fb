import { lastDigestTime } from '@perfume/domain/alerts';
import { emailKey } from '@perfume/domain/email';
import { afterAll, describe, expect, test } from 'vitest';
import { startMailbox } from '../../testing/mailbox.ts';
import type { Db } from '../db/core/database.ts';
import { StoreUnavailable } from '../db/core/errors.ts';
import { emails } from '../mail/emails.ts';
import { type Email, smtpMailer } from '../mail/mailer.ts';
import { anItem, move, onBothDatabases, type Person, signedInAs, type TestApp, testApp } from '../testing.ts';
import { sendDigests, sendInstantAlerts } from './alert-emails.ts';
import { startAlertScheduler } from './alert-scheduler.ts';
import { pruneAlerts } from './alerts.store.ts';
import { anyHeldDue, MAX_EMAILS } from './instant-readers.store.ts';

const HOME = 'https://stock.example.com';
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

function collectInto(sent: Email[]) {
  return { send: (email: Email) => void sent.push(email), close: async () => {} };
}
async function choose(person: Person, alerts: Record<string, string>): Promise<void> {
  expect((await person.call('PUT', '/settings', { body: { alerts } })).statusCode).toBe(200);
}

onBothDatabases('an instant alert email', (shared) => {
  /** Sends from two servers at the same time. Returns the subjects of each person's emails. */
  async function sendAlerts(other: TestApp = shared): Promise<Map<string, string[]>> {
    const sent: Email[] = [];
    const deps = { access: 'open' as const, mailer: collectInto(sent), address: () => HOME, clock: Date.now };
    await Promise.all([shared, other].map(({ db }) => sendInstantAlerts({ ...deps, db })));
    return new Map(sent.map(({ to }) => [to, sent.filter((email) => email.to === to).map(({ subject }) => subject)]));
  }

  test('goes once to the owner who chose it, whichever of two servers is first', async () => {
    const other = await shared.sibling();
    await sendAlerts();
    for (let i = 0; i < 5; i++) {
      const person = await signedInAs(shared);
      await choose(person, { mail: 'at_once' });
      const item = await anItem(person, { name: 'Iris', quantity: 11, email: person.user.email.toUpperCase() });
      await move(person, item._id, 'deliver', 2);
      expect([...(await sendAlerts(other))]).toEqual([
        [person.user.email, ['Iris is low on stock: 9 left · Perfume Warehouse']],
      ]);
      expect(await sendAlerts(other)).toEqual(new Map());
    }
  });

  test('does not go to people who chose none, a digest or only their own items, nor to an unverified address', async () => {
    await sendAlerts();
    const [off, daily, own, all] = [
      await signedInAs(shared),
      await signedInAs(shared),
      await signedInAs(shared),
      await signedInAs(shared),
    ];
    const unverified = await signedInAs(shared);
    await choose(off, { mail: 'off', about: 'all' });
    await choose(daily, { about: 'all' });
    await choose(own, { mail: 'at_once', about: 'mine' });
    await choose(all, { mail: 'at_once', about: 'all' });
    await choose(unverified, { mail: 'at_once', about: 'all' });
    await shared.db.change((db) =>
      db.updateTable('users').set({ email_verified: 0 }).where('id', '=', unverified.user.id).execute(),
    );
    const item = await anItem(daily, { quantity: 11, email: off.user.email });
    await move(daily, item._id, 'deliver', 1);
    expect([...(await sendAlerts()).keys()]).toEqual([all.user.email]);
    await choose(all, { mail: 'off' });
  });

  test('is not due for somebody who cannot log in, or is not in the house', async () => {
    const person = await signedInAs(shared);
    await choose(person, { mail: 'at_once' });
    const user_id = person.user.id;
    const due = () => anyHeldDue(shared.db.query, 'open', Date.now());
    await shared.db.change((db) => db.updateTable('alert_choices').set({ held_from: 1 }).execute());
    expect([await due(), await anyHeldDue(shared.db.query, 'houses', Date.now())]).toEqual([true, false]);
    await shared.db.change((db) => db.updateTable('alert_choices').set({ held_from: null }).execute());
    await shared.db.change(async (db) => {
      await db.updateTable('alert_choices').set({ held_from: 1 }).where('user_id', '=', user_id).execute();
      await db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', user_id).execute();
    });
    expect(await due()).toBe(false);
  });

  test('lists every alert of the last seconds, but no item that recovered meanwhile', async () => {
    await sendAlerts();
    const person = await signedInAs(shared);
    await choose(person, { mail: 'at_once' });
    const quantities: Record<string, number> = { Low: 11, Out: 11, Slip: 11, Gone: 11, Back: 0, Last: 1 };
    const [low, out, slip, gone, back, last] = await Promise.all(
      Object.entries(quantities).map(([name, quantity]) =>
        anItem(person, { name, quantity, email: person.user.email }),
      ),
    );
    await move(person, low?._id ?? '', 'deliver', 1);
    await move(person, out?._id ?? '', 'deliver', 1);
    await move(person, out?._id ?? '', 'deliver', 10);
    await move(person, slip?._id ?? '', 'deliver', 5);
    await move(person, slip?._id ?? '', 'restock', 5);
    const { movement } = (await move(person, last?._id ?? '', 'deliver', 1)).json();
    await person.call('POST', `/movements/${movement.id}/undo`);
    await move(person, gone?._id ?? '', 'deliver', 5);
    await person.call('DELETE', `/inventory-items/${gone?._id}`);
    await move(person, back?._id ?? '', 'restock', 50);
    const sent: Email[] = [];
    await sendInstantAlerts({
      db: shared.db,
      access: 'open' as const,
      mailer: collectInto(sent),
      address: () => HOME,
      clock: Date.now,
    });
    expect(sent.map(({ subject }) => subject)).toEqual(['2 items to reorder · Perfume Warehouse']);
    const [{ text } = { text: '' }] = sent;
    expect(text).toMatch(
      /Out of stock\n- Out: 0 on hand\n.*\n\nLow stock\n- Low: 10 on hand\n.*\n\nBack in stock\n- Back: 50/,
    );
    expect(text).not.toMatch(/Slip|Gone|Last/);
    expect(text).toContain(`${HOME}/dashboard/inventory/${low?._id}`);
    expect(text).toContain(`${HOME}/dashboard/settings`);
  });
});

onBothDatabases('however often stock crosses its reorder point', (shared) => {
  test('one alert of each kind is left, so that reading them stays quick', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 11, email: person.user.email });
    const swing = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await move(person, item._id, 'deliver', 1);
        await move(person, item._id, 'restock', 1);
      }
    };
    const ofItem = shared.db.query.selectFrom('stock_alerts').select('kind').where('item_id', '=', item._id);
    const left = async () => (await ofItem.orderBy('num').execute()).map(({ kind }) => kind);
    await swing(3);
    expect(await left()).toHaveLength(6);
    await sendInstantAlerts({
      db: shared.db,
      access: 'open',
      mailer: collectInto([]),
      address: () => HOME,
      clock: Date.now,
    });
    expect(await left()).toEqual(['low', 'recovered']);
    // Those that no server has claimed stay, and so do those that they will replace.
    await swing(2);
    await pruneAlerts(shared.db, Date.now());
    expect(await left()).toHaveLength(6);
    // An earlier version left them behind.
    await shared.db.change((db) => db.updateTable('stock_alerts').set({ round: 'earlier' }).execute());
    await pruneAlerts(shared.db, Date.now());
    expect(await left()).toEqual(['low', 'recovered']);
  });

  test('a person gets only so many emails per hour and day, and the next one collects the rest', async () => {
    const other = await shared.sibling();
    const person = await signedInAs(shared);
    await choose(person, { mail: 'at_once' });
    const create = async (name: string) => (await anItem(person, { name, quantity: 11, email: person.user.email }))._id;
    const [swinging, late] = [await create('Swing'), await create('Late')];
    let now = lastDigestTime(Date.now());
    const sent: Email[] = [];
    const deps = { access: 'open' as const, mailer: collectInto(sent), address: () => HOME, clock: () => now };
    /** Sends from two servers at once. Returns the emails of this person. */
    const send = async () => {
      sent.length = 0;
      await Promise.all([shared, other].map(({ db }) => sendInstantAlerts({ ...deps, db })));
      return sent.filter(({ to }) => to === person.user.email);
    };
    const cross = async (times: number) => {
      let count = 0;
      for (let i = 0; i < times; i++) {
        await move(person, swinging, i % 2 === 0 ? 'deliver' : 'restock', 1);
        count += (await send()).length;
      }
      return count;
    };
    await send();
    expect(await cross(MAX_EMAILS.hour + 4)).toBe(MAX_EMAILS.hour);
    await move(person, late, 'deliver', 11);
    expect(await send()).toEqual([]);
    now += HOUR_MS;
    const [collected, ...more] = await send();
    expect(more).toEqual([]);
    expect(collected?.text).toContain('this email collects those since the last one');
    expect(collected?.text).toMatch(/Out of stock\n- Late: 0 on hand[\s\S]*Back in stock\n- Swing: 11 on hand/);
    expect(await send()).toEqual([]);

    await shared.db.change((db) =>
      db
        .updateTable('alert_choices')
        .set({ mailed_in_day: MAX_EMAILS.day - 1 })
        .where('user_id', '=', person.user.id)
        .execute(),
    );
    expect(await cross(3)).toBe(1);
    now += HOUR_MS;
    expect(await send()).toEqual([]);
    now += DAY_MS;
    expect((await send()).map(({ subject }) => subject)).toEqual([
      'Swing is low on stock: 10 left · Perfume Warehouse',
    ]);
  });
});

describe('digests', () => {
  /** The clock of the servers and of the scheduler. */
  let now = Date.now();
  const nextMorning = () => lastDigestTime(now) + DAY_MS;

  onBothDatabases('a digest', (shared) => digestTests(shared), {}, { clock: () => now });

  function digestTests(shared: TestApp): void {
    /** Sends every digest that is due at `now`, from two servers at once. */
    async function sendDueDigests(other: TestApp = shared): Promise<Email[]> {
      const sent: Email[] = [];
      const deps = { access: 'open' as const, mailer: collectInto(sent), address: () => HOME, clock: () => now };
      const sendAll = async (server: TestApp) => {
        while ((await sendDigests({ ...deps, db: server.db })) > 0);
      };
      await Promise.all([sendAll(shared), sendAll(other)]);
      return sent;
    }
    const emailsTo = (sent: Email[], { user }: Person) => sent.filter((email) => email.to === user.email);

    test('is sent once a day, at 7:00 UTC or as soon as possible after, by one server, and only when it is not empty', async () => {
      now = Date.now();
      const other = await shared.sibling();
      const person = await signedInAs(shared);
      const item = await anItem(person, { name: 'Ambre', quantity: 4, email: person.user.email });
      expect(emailsTo(await sendDueDigests(other), person)).toEqual([]);
      now = nextMorning() - 1;
      expect(emailsTo(await sendDueDigests(other), person)).toEqual([]);
      now += 5 * HOUR_MS;
      const [email, ...more] = emailsTo(await sendDueDigests(other), person);
      expect([email?.subject, more.length]).toEqual(['1 low on stock · Perfume Warehouse', 0]);
      expect(email?.text).toContain(`- Ambre: 4 on hand\n  ${HOME}/dashboard/inventory/${item._id}`);
      now += HOUR_MS;
      expect(emailsTo(await sendDueDigests(other), person)).toEqual([]);
      now = nextMorning();
      expect(emailsTo(await sendDueDigests(other), person)).toHaveLength(1);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      now = nextMorning();
      expect(emailsTo(await sendDueDigests(other), person)).toEqual([]);
    });

    test('lists what is out, what is low and what recovered since the last digest', async () => {
      const person = await signedInAs(shared);
      const create = async (name: string, quantity: number) =>
        (await anItem(person, { name, quantity, email: person.user.email }))._id;
      const [out, back] = [await create('Out', 1), await create('Back', 3)];
      await create('Low', 2);
      await create('Plenty', 99);
      now = nextMorning();
      await sendDueDigests();
      await move(person, out, 'deliver', 1);
      await move(person, back, 'restock', 20);
      now = nextMorning();
      const [email] = emailsTo(await sendDueDigests(), person);
      expect(email?.subject).toBe('1 out of stock, 1 low on stock · Perfume Warehouse');
      expect(email?.text).toMatch(
        /Out of stock\n- Out: 0.*\n.*\n\nLow stock\n- Low: 2.*\n.*\n\nBack in stock\n- Back: 23/,
      );
      expect(email?.text).not.toContain('Plenty');
      now = nextMorning();
      expect(emailsTo(await sendDueDigests(), person)[0]?.text).not.toContain('Back in stock');
    });

    test("covers one's own items or all, and is not sent to people who chose none or instant alerts", async () => {
      const [own, all, off, atOnce] = [
        await signedInAs(shared),
        await signedInAs(shared),
        await signedInAs(shared),
        await signedInAs(shared),
      ];
      await choose(all, { about: 'all' });
      await choose(off, { mail: 'off', about: 'all' });
      await choose(atOnce, { mail: 'at_once', about: 'all' });
      await anItem(own, { name: 'Zest', quantity: 1, email: 'someone@else.example' });
      now = nextMorning();
      const sent = await sendDueDigests();
      expect([own, off, atOnce].map((person) => emailsTo(sent, person).length)).toEqual([0, 0, 0]);
      expect(emailsTo(sent, all)[0]?.text).toContain('Zest');
    });

    test('starts on the day after it was chosen', async () => {
      const person = await signedInAs(shared);
      await anItem(person, { quantity: 1, email: person.user.email });
      await choose(person, { mail: 'off' });
      now = nextMorning();
      await choose(person, { mail: 'daily' });
      now += HOUR_MS;
      expect(emailsTo(await sendDueDigests(), person)).toEqual([]);
      now = nextMorning();
      expect(emailsTo(await sendDueDigests(), person)).toHaveLength(1);
    });

    test('that cannot be read is sent later, and keeps no other person from theirs', async () => {
      const [ann, bea] = [await signedInAs(shared), await signedInAs(shared)];
      for (const { user } of [ann, bea]) await anItem(ann, { quantity: 1, email: user.email });
      now = nextMorning();
      const sent: Email[] = [];
      const sendAll = async (db: Db) => {
        while (
          (await sendDigests({
            db,
            access: 'open' as const,
            mailer: collectInto(sent),
            address: () => HOME,
            clock: () => now,
          })) > 0
        );
      };
      const busy: Db = {
        ...shared.db,
        longQuery: async (text, params) => {
          if (params.includes(emailKey(ann.user.email)))
            throw new StoreUnavailable('too many long queries are waiting');
          return shared.db.longQuery(text, params);
        },
      };
      await expect(sendAll(busy)).rejects.toThrow('too many long queries are waiting');
      expect([ann, bea].map((person) => emailsTo(sent, person).length)).toEqual([0, 1]);
      now += HOUR_MS;
      await sendAll(shared.db);
      expect([ann, bea].map((person) => emailsTo(sent, person).length)).toEqual([1, 1]);
    });

    test('lists thirty items and counts the rest', async () => {
      const person = await signedInAs(shared);
      await Promise.all(
        Array.from({ length: 33 }, (_, i) =>
          anItem(person, { name: `No ${i}`, quantity: 5, email: person.user.email }),
        ),
      );
      now = nextMorning();
      const [email] = emailsTo(await sendDueDigests(), person);
      expect(email?.subject).toBe('33 low on stock · Perfume Warehouse');
      expect([email?.text.match(/^- No/gm)?.length, email?.text.includes('and 3 more')]).toEqual([30, true]);
    });
  }
});

describe('alert emails over a real mail server', async () => {
  const mailbox = await startMailbox();
  afterAll(() => mailbox.close());
  const quiet = { warn: () => {}, error: () => {} };

  test('a delivery leads to an email within seconds', async () => {
    const test = await testApp('SQLite', { mail: mailbox.settings, publicUrl: HOME, demo: false });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const person = await signedInAs(test, 'ann@house.example');
    await choose(person, { mail: 'at_once' });
    const item = await anItem(person, { name: 'Oud & “Smoke” <b>', quantity: 11, email: 'ann@house.example' });
    await move(person, item._id, 'deliver', 4);
    const mail = await mailbox.mailTo('ann@house.example');
    expect(mail.subject).toBe('Oud & “Smoke” <b> is low on stock: 7 left · Perfume Warehouse');
    expect(mail.links).toEqual([
      `${HOME}/dashboard/inventory/${item._id}`,
      `${HOME}/dashboard/manage-inventory?stock=low`,
      `${HOME}/dashboard/settings`,
    ]);
    expect(mail.html).toContain('Oud &#38; “Smoke” &#60;b&#62;</bdi></a>');
    await test.close();
  });

  test('an item name cannot add a header, a tag or a link, and is cut off when long', async () => {
    const mailer = smtpMailer(mailbox.settings, quiet);
    const name = `A\r\nBcc: eve@evil.example\r\n\r\n<img src=x> see https://evil.example/login or www.evil.example ${'x'.repeat(300)}`;
    const list = { lines: [{ name, quantity: 3, url: `${HOME}/dashboard/inventory/1` }], total: 1 };
    const none = { lines: [], total: 0 };
    const links = { lowStock: `${HOME}/low`, settings: `${HOME}/settings` };
    const news = { low: list, out: none, recovered: none };
    mailer.send(emails.stockAlert('bea@house.example', news, links, { isCollected: false, house: name }));
    const mail = await mailbox.mailTo('bea@house.example');
    expect(mailbox.mails.filter(({ to }) => to !== 'ann@house.example').map(({ to }) => to)).toEqual([
      'bea@house.example',
    ]);
    expect(mail.html).not.toContain('<img');
    expect(mail.links).toEqual([`${HOME}/dashboard/inventory/1`, links.lowStock, links.settings]);
    expect(`${mail.text} ${mail.html}`).not.toMatch(/evil\.example|www\.evil/);
    expect(mail.subject.length).toBeLessThan(200);
    expect(mail.text).not.toMatch(/x{100}/);
    await mailer.close();
  });
});

onBothDatabases(
  'an email about the stock of a house',
  (shared) => {
    test('names the house if the person is in several', async () => {
      const [one, several] = [await signedInAs(shared), await signedInAs(shared)];
      const now = Date.now();
      const send = async (task: typeof sendInstantAlerts | typeof sendDigests, clock: () => number) => {
        const sent: Email[] = [];
        await task({ db: shared.db, access: 'houses', mailer: collectInto(sent), address: () => HOME, clock });
        return sent.map(({ to, subject, text }) => [to, subject, text.split('\n', 1)[0]]).sort();
      };
      const raiseAlert = async (person: Person, name: string) => {
        await choose(person, { mail: 'at_once', about: 'all' });
        const item = await anItem(person, { name, quantity: 11 });
        await move(person, item._id, 'deliver', 11);
      };
      await raiseAlert(one, 'Iris');
      expect((await several.call('GET', '/houses')).json()).toHaveLength(1);
      await raiseAlert(several, 'Musk');
      await several.call('POST', '/houses', { body: { name: 'Oud & Sons' } });
      await raiseAlert(several, 'Amber');
      const [alone, both] = [one.user, several.user];
      expect(await send(sendInstantAlerts, Date.now)).toEqual(
        [
          [alone.email, 'Iris is out of stock · Perfume Warehouse', 'Iris is out of stock'],
          [both.email, 'Oud & Sons: Amber is out of stock · Perfume Warehouse', 'Oud & Sons: Amber is out of stock'],
          [both.email, `${both.name}: Musk is out of stock · Perfume Warehouse`, `${both.name}: Musk is out of stock`],
        ].sort(),
      );
      await shared.db.change((db) => db.updateTable('alert_choices').set({ mail: 'daily' }).execute());
      expect(await send(sendDigests, () => now + 2 * DAY_MS)).toEqual(
        [
          [alone.email, '1 out of stock · Perfume Warehouse', 'Your stock this morning'],
          [both.email, 'Oud & Sons: 1 out of stock · Perfume Warehouse', 'Oud & Sons: Your stock this morning'],
          [both.email, `${both.name}: 1 out of stock · Perfume Warehouse`, `${both.name}: Your stock this morning`],
        ].sort(),
      );
    });
  },
  { access: 'houses' },
);

test('the alert scheduler retries when the database is unavailable, and sends nothing after it is stopped', async () => {
  const test = await testApp('SQLite');
  const sent: Email[] = [];
  const warned: string[] = [];
  let isUnavailable = true;
  const db = { ...test.db, query: test.db.query };
  const stop = startAlertScheduler(
    {
      access: 'open',
      db: {
        ...db,
        change: (work, options) =>
          isUnavailable ? Promise.reject(new Error('unavailable')) : test.db.change(work, options),
      },
      mailer: collectInto(sent),
      address: () => HOME,
      clock: Date.now,
      log: { warn: (_, message) => void warned.push(message) },
    },
    { debounceMs: 300, checkEveryMs: 400, digestPauseMs: 1, viewsEveryMs: 300 },
  );
  const person = await signedInAs(test);
  await choose(person, { mail: 'at_once' });
  const item = await anItem(person, { quantity: 11, email: person.user.email });
  await move(person, item._id, 'deliver', 1);
  await expect.poll(() => warned.length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
  isUnavailable = false;
  await expect.poll(() => sent.length).toBe(1);
  // Another server, or this one after a restart, sends the alerts that are left.
  await move(person, item._id, 'deliver', 10);
  await stop();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(sent).toHaveLength(1);
  await test.close();
});
