import { hashPassword as hashEarlier } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { queryRows } from '../db/core/statement.ts';
import { onAnyDatabase } from '../testing.ts';
import { replacePasswordHash } from './identity.store.ts';
import { passwordHasher, passwordHasherAt } from './passwords.ts';

test.each([
  ['ours', passwordHasherAt({ ln: 10, r: 8, p: 1 }).hash],
  ["better-auth's", hashEarlier],
])('a password is checked exactly as received, in the format %s', async (_, hash) => {
  const [composed, decomposed, wide] = [
    'caf\u00e9-41-lavender',
    'cafe\u0301-41-lavender',
    'caf\u00e9-\uff14\uff11-lavender',
  ];
  const stored = await hash(composed);
  const isAccepted = (password: string) => passwordHasherAt({ ln: 10, r: 8, p: 1 }).verify({ hash: stored, password });
  expect(await isAccepted(composed)).toBe(true);
  for (const other of [decomposed, wide, `${composed} `, composed.toUpperCase(), composed.slice(0, -1)])
    expect(await isAccepted(other)).toBe(false);
});

onAnyDatabase(
  'a password',
  (shop) => {
    async function keptOf(email: string): Promise<string> {
      const account = shop.db.query
        .selectFrom('accounts')
        .innerJoin('users', 'users.id', 'accounts.user_id')
        .select('accounts.password')
        .where('users.email', '=', email);
      return (await account.executeTakeFirstOrThrow()).password ?? '';
    }

    test('is stored as a salted scrypt hash, so equal passwords have different hashes', async () => {
      const [ann, bob] = [anEmail(), anEmail()];
      for (const email of [ann, bob]) expect((await openBrowser(shop).signUp({ email })).statusCode).toBe(200);
      const kept = [await keptOf(ann), await keptOf(bob)];
      // 16 bytes of salt and 32 bytes of hash.
      for (const one of kept) expect(one).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
      expect(kept[0]).not.toBe(kept[1]);
    });

    test('is needed to log in', async () => {
      const email = anEmail();
      await openBrowser(shop).signUp({ email });
      expect((await openBrowser(shop).signIn(email)).statusCode).toBe(200);
      expect((await openBrowser(shop).signIn(email, `${PASSWORD} `)).statusCode).toBe(401);
    });

    test.each([
      ["better-auth's", hashEarlier],
      ['a lower cost', passwordHasherAt({ ln: 10, r: 8, p: 1 }).hash],
    ])('hashed at %s still works and is rehashed at the current cost', async (_, hash) => {
      const email = anEmail();
      await openBrowser(shop).signUp({ email });
      const earlier = await hash(PASSWORD);
      await keepAs(email, earlier);
      expect((await openBrowser(shop).signIn(email, `${PASSWORD} `)).statusCode).toBe(401);
      expect(await keptOf(email)).toBe(earlier);
      expect((await openBrowser(shop).signIn(email)).statusCode).toBe(200);
      await expect.poll(() => keptOf(email)).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
      expect((await openBrowser(shop).signIn(email)).statusCode).toBe(200);
    });

    test('that was changed meanwhile is not replaced by the rehash of an earlier one', async () => {
      const email = anEmail();
      await openBrowser(shop).signUp({ email });
      const { id } = await shop.db.query
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const changed = await keptOf(email);
      await replacePasswordHash(shop.db, id, { from: 'what it was before', to: 'an earlier one' });
      expect(await keptOf(email)).toBe(changed);
    });

    async function keepAs(email: string, kept: string): Promise<void> {
      await shop.db.change(async (db) => {
        await queryRows(
          db,
          `update accounts set password = $1 where provider_id = 'credential'
           and user_id = (select id from users where email = $2)`,
          [kept, email],
        );
      });
    }
  },
  {},
  { passwords: passwordHasher },
);
