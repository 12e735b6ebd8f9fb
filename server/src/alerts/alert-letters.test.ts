import { randomUUID } from 'node:crypto';
import { lastDigestTime } from '@perfume/domain/alerts';
import { afterAll, describe, expect, test } from 'vitest';
import { startMailbox } from '../../testing/mailbox.ts';
import { emails } from '../mail/emails.ts';
import { type Email, smtpMailer } from '../mail/mailer.ts';
import { anItem, onBothDatabases, signedInAs, type TestApp, testApp } from '../testing.ts';
import { writeAtOnce, writeDigests } from './alert-letters.ts';
import { keepInformed } from './keep-informed.ts';

type Person = Awaited<ReturnType<typeof signedInAs>>;
const HOME = 'https://stock.example.com';
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

function mailerInto(sent: Email[]) {
  return { send: (letter: Email) => void sent.push(letter), close: async () => {} };
}
function deliver(person: Person, id: string, units: number, kind = 'deliver') {
  const headers = { 'idempotency-key': randomUUID() };
  return person.call('POST', `/inventory-items/${id}/movements`, { body: { kind, units }, headers });
}
async function choose(person: Person, alerts: Record<string, string>): Promise<void> {
  expect((await person.call('PUT', '/settings', { body: { alerts } })).statusCode).toBe(200);
}

onBothDatabases('a letter at once', (shared) => {
  /** One round on each of two servers, at the same moment; `to` is who got what. */
  async function round(other: TestApp = shared): Promise<Map<string, string[]>> {
    const sent: Email[] = [];
    const parts = { mailer: mailerInto(sent), address: () => HOME, clock: Date.now };
    await Promise.all([shared, other].map(({ db }) => writeAtOnce({ ...parts, db })));
    return new Map(sent.map(({ to }) => [to, sent.filter((letter) => letter.to === to).map(({ subject }) => subject)]));
  }

  test('goes to the owner who wants it, once, whichever of two servers is first', async () => {
    const other = await shared.sibling();
    await round();
    for (let i = 0; i < 5; i++) {
      const person = await signedInAs(shared);
      await choose(person, { mail: 'at_once' });
      const item = await anItem(person, { name: 'Iris', quantity: 11, email: person.user.email.toUpperCase() });
      await deliver(person, item._id, 2);
      expect([...(await round(other))]).toEqual([[person.user.email, ['Iris is low: 9 left · Perfume Warehouse']]]);
      expect(await round(other)).toEqual(new Map());
    }
  });

  test('to nobody else: not to those who want none, a digest, or only their own; nor to an unproven address', async () => {
    await round();
    const [off, daily, own, all] = [
      await signedInAs(shared),
      await signedInAs(shared),
      await signedInAs(shared),
      await signedInAs(shared),
    ];
    const unproven = await signedInAs(shared);
    await choose(off, { mail: 'off', about: 'all' });
    await choose(daily, { about: 'all' });
    await choose(own, { mail: 'at_once', about: 'mine' });
    await choose(all, { mail: 'at_once', about: 'all' });
    await choose(unproven, { mail: 'at_once', about: 'all' });
    await shared.db.change((db) =>
      db.updateTable('users').set({ email_verified: 0 }).where('id', '=', unproven.user.id).execute(),
    );
    const item = await anItem(daily, { quantity: 11, email: off.user.email });
    await deliver(daily, item._id, 1);
    expect([...(await round()).keys()]).toEqual([all.user.email]);
    await choose(all, { mail: 'off' });
  });

  test('holds all that crossed within its seconds, and nothing that was put right in them', async () => {
    await round();
    const person = await signedInAs(shared);
    await choose(person, { mail: 'at_once' });
    const quantities: Record<string, number> = { Low: 11, Out: 11, Slip: 11, Gone: 11, Back: 0, Last: 1 };
    const [low, out, slip, gone, back, last] = await Promise.all(
      Object.entries(quantities).map(([name, quantity]) =>
        anItem(person, { name, quantity, email: person.user.email }),
      ),
    );
    await deliver(person, low?._id ?? '', 1);
    await deliver(person, out?._id ?? '', 1);
    await deliver(person, out?._id ?? '', 10);
    await deliver(person, slip?._id ?? '', 5);
    await deliver(person, slip?._id ?? '', 5, 'restock');
    const { movement } = (await deliver(person, last?._id ?? '', 1)).json();
    await person.call('POST', `/movements/${movement.id}/undo`);
    await deliver(person, gone?._id ?? '', 5);
    await person.call('DELETE', `/inventory-items/${gone?._id}`);
    await deliver(person, back?._id ?? '', 50, 'restock');
    const sent: Email[] = [];
    await writeAtOnce({ db: shared.db, mailer: mailerInto(sent), address: () => HOME, clock: Date.now });
    expect(sent.map(({ subject }) => subject)).toEqual(['2 items to reorder · Perfume Warehouse']);
    const [{ text } = { text: '' }] = sent;
    expect(text).toMatch(
      /Out of stock\n- Out: 0 on hand\n.*\n\nLow\n- Low: 10 on hand\n.*\n\nBack in stock\n- Back: 50/,
    );
    expect(text).not.toMatch(/Slip|Gone|Last/);
    expect(text).toContain(`${HOME}/dashboard/inventory/${low?._id}`);
    expect(text).toContain(`${HOME}/dashboard/settings`);
  });
});

describe('digests', () => {
  /** The clock of the servers and of the letters. */
  let now = Date.now();
  const nextMorning = () => lastDigestTime(now) + DAY_MS;

  onBothDatabases('a digest', (shared) => digestTests(shared), {}, { clock: () => now });

  function digestTests(shared: TestApp): void {
    /** Every digest that is due at `now`, written by two servers at once. */
    async function morning(other: TestApp = shared): Promise<Email[]> {
      const sent: Email[] = [];
      const parts = { mailer: mailerInto(sent), address: () => HOME, clock: () => now };
      const writeAll = async (server: TestApp) => {
        while ((await writeDigests({ ...parts, db: server.db })) > 0);
      };
      await Promise.all([writeAll(shared), writeAll(other)]);
      return sent;
    }
    const to = (sent: Email[], { user }: Person) => sent.filter((letter) => letter.to === user.email);

    test('comes once a morning, at seven or the first chance after, by one server, and only with something to say', async () => {
      now = Date.now();
      const other = await shared.sibling();
      const person = await signedInAs(shared);
      const item = await anItem(person, { name: 'Ambre', quantity: 4, email: person.user.email });
      expect(to(await morning(other), person)).toEqual([]);
      now = nextMorning() - 1;
      expect(to(await morning(other), person)).toEqual([]);
      now += 5 * HOUR_MS;
      const [letter, ...more] = to(await morning(other), person);
      expect([letter?.subject, more.length]).toEqual(['1 low · Perfume Warehouse', 0]);
      expect(letter?.text).toContain(`- Ambre: 4 on hand\n  ${HOME}/dashboard/inventory/${item._id}`);
      now += HOUR_MS;
      expect(to(await morning(other), person)).toEqual([]);
      now = nextMorning();
      expect(to(await morning(other), person)).toHaveLength(1);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      now = nextMorning();
      expect(to(await morning(other), person)).toEqual([]);
    });

    test('tells what is out, what is low and what recovered since the last one, but not what was told before', async () => {
      const person = await signedInAs(shared);
      const made = async (name: string, quantity: number) =>
        (await anItem(person, { name, quantity, email: person.user.email }))._id;
      const [out, back] = [await made('Out', 1), await made('Back', 3)];
      await made('Low', 2);
      await made('Plenty', 99);
      now = nextMorning();
      await morning();
      await deliver(person, out, 1);
      await deliver(person, back, 20, 'restock');
      now = nextMorning();
      const [letter] = to(await morning(), person);
      expect(letter?.subject).toBe('1 out of stock, 1 low · Perfume Warehouse');
      expect(letter?.text).toMatch(/Out of stock\n- Out: 0.*\n.*\n\nLow\n- Low: 2.*\n.*\n\nBack in stock\n- Back: 23/);
      expect(letter?.text).not.toContain('Plenty');
      now = nextMorning();
      expect(to(await morning(), person)[0]?.text).not.toContain('Back in stock');
    });

    test("is of one's own items, or of all; and of none for whoever wants none or hears at once", async () => {
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
      const sent = await morning();
      expect([own, off, atOnce].map((person) => to(sent, person).length)).toEqual([0, 0, 0]);
      expect(to(sent, all)[0]?.text).toContain('Zest');
    });

    test('begins with the choice for it', async () => {
      const person = await signedInAs(shared);
      await anItem(person, { quantity: 1, email: person.user.email });
      await choose(person, { mail: 'off' });
      now = nextMorning();
      await choose(person, { mail: 'daily' });
      now += HOUR_MS;
      expect(to(await morning(), person)).toEqual([]);
      now = nextMorning();
      expect(to(await morning(), person)).toHaveLength(1);
    });

    test('of very many items names the first thirty and counts the rest', async () => {
      const person = await signedInAs(shared);
      await Promise.all(
        Array.from({ length: 33 }, (_, i) =>
          anItem(person, { name: `No ${i}`, quantity: 5, email: person.user.email }),
        ),
      );
      now = nextMorning();
      const [letter] = to(await morning(), person);
      expect(letter?.subject).toBe('33 low · Perfume Warehouse');
      expect([letter?.text.match(/^- No/gm)?.length, letter?.text.includes('and 3 more')]).toEqual([30, true]);
    });
  }
});

describe('over a real mail server', async () => {
  const mailbox = await startMailbox();
  afterAll(() => mailbox.close());
  const quiet = { warn: () => {}, error: () => {} };

  test('a delivery in the shop becomes a letter within seconds', async () => {
    const test = await testApp('SQLite', { mail: mailbox.settings, publicUrl: HOME, demo: false });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const person = await signedInAs(test, 'ann@house.example');
    await choose(person, { mail: 'at_once' });
    const item = await anItem(person, { name: 'Oud & “Smoke” <b>', quantity: 11, email: 'ann@house.example' });
    await deliver(person, item._id, 4);
    const mail = await mailbox.mailTo('ann@house.example');
    expect(mail.subject).toBe('Oud & “Smoke” <b> is low: 7 left · Perfume Warehouse');
    expect(mail.links).toEqual([
      `${HOME}/dashboard/inventory/${item._id}`,
      `${HOME}/dashboard/manage-inventory?stock=low`,
      `${HOME}/dashboard/settings`,
    ]);
    expect(mail.html).toContain('Oud &#38; “Smoke” &#60;b&#62;</bdi></a>');
    await test.close();
  });

  test('a name is no header, no tag and no link, and not endless', async () => {
    const mailer = smtpMailer(mailbox.settings, quiet);
    const name = `A\r\nBcc: eve@evil.example\r\n\r\n<img src=x> see https://evil.example/login or www.evil.example ${'x'.repeat(300)}`;
    const list = { lines: [{ name, quantity: 3, url: `${HOME}/dashboard/inventory/1` }], total: 1 };
    const none = { lines: [], total: 0 };
    const links = { lowStock: `${HOME}/low`, settings: `${HOME}/settings` };
    mailer.send(emails.stockAlert('bea@house.example', { low: list, out: none, recovered: none }, links));
    const mail = await mailbox.mailTo('bea@house.example');
    expect(mailbox.mails.filter(({ to }) => to !== 'ann@house.example').map(({ to }) => to)).toEqual([
      'bea@house.example',
    ]);
    expect(mail.html).not.toContain('<img');
    expect(mail.links).toEqual([`${HOME}/dashboard/inventory/1`, links.lowStock, links.settings]);
    expect(`${mail.text} ${mail.html}`).not.toMatch(/evil\.example|www\.evil/);
    expect(mail.subject.length).toBeLessThan(120);
    expect(mail.text).not.toMatch(/x{100}/);
    await mailer.close();
  });
});

test('a store that is away is tried again, and nothing is written after the end', async () => {
  const test = await testApp('SQLite');
  const sent: Email[] = [];
  const warned: string[] = [];
  let isAway = true;
  const db = { ...test.db, query: test.db.query };
  const stop = keepInformed(
    {
      db: {
        ...db,
        change: (work, options) => (isAway ? Promise.reject(new Error('away')) : test.db.change(work, options)),
      },
      mailer: mailerInto(sent),
      address: () => HOME,
      clock: Date.now,
      log: { warn: (_, message) => void warned.push(message) },
    },
    { settleMs: 300, lookEveryMs: 400, paceMs: 1 },
  );
  const person = await signedInAs(test);
  await choose(person, { mail: 'at_once' });
  const item = await anItem(person, { quantity: 11, email: person.user.email });
  await deliver(person, item._id, 1);
  await expect.poll(() => warned.length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
  isAway = false;
  await expect.poll(() => sent.length).toBe(1);
  // What is left when it stops, another server writes, or this one when it starts again.
  await deliver(person, item._id, 10);
  await stop();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(sent).toHaveLength(1);
  await test.close();
});
