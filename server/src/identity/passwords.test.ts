import { expect, test } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { onBothDatabases } from '../testing.ts';
import { keptPasswords } from './auth.ts';

onBothDatabases(
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

    test('is kept as a salt and its scrypt: nowhere as itself, and two that are the same look different', async () => {
      const [ann, bob] = [anEmail(), anEmail()];
      for (const email of [ann, bob]) expect((await openBrowser(shop).signUp({ email })).statusCode).toBe(200);
      const kept = [await keptOf(ann), await keptOf(bob)];
      // 16 bytes of salt and 64 of scrypt, in hex.
      for (const one of kept) expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
      expect(kept[0]).not.toBe(kept[1]);
    });

    test('signs in who knows it, and nobody else', async () => {
      const email = anEmail();
      await openBrowser(shop).signUp({ email });
      expect((await openBrowser(shop).signIn(email)).statusCode).toBe(200);
      expect((await openBrowser(shop).signIn(email, `${PASSWORD} `)).statusCode).toBe(401);
    });
  },
  {},
  { passwords: keptPasswords },
);
