import type { Browser, BrowserContext } from '@playwright/test';
import { verify } from './email-link.ts';
import { expect } from './fixtures.ts';

let count = 0;
export const unique = () => `${Date.now()}-${process.pid}-${++count}`;

type Fixtures = { browser: Browser; context: BrowserContext; baseURL: string | undefined };

/** Logs in two people, each in a browser context of their own: the demo dealer and a new user. */
export async function twoPeople({
  browser,
  context: one,
  baseURL,
}: Fixtures): Promise<[BrowserContext, BrowserContext]> {
  await one.request.post('/demo/sign-in', { data: {} });
  const other = await browser.newContext({
    viewport: { width: 1366, height: 900 },
    ...(baseURL !== undefined && { baseURL }),
  });
  const email = `ines-${unique()}@example.com`;
  await other.request.post('/api/auth/sign-up/email', {
    data: { name: 'Ines Moreau', email, password: 'quiet otter lamp 7' },
  });
  await verify(other.request, await linkInEmailTo(other, email));
  return [one, other];
}

async function linkInEmailTo(context: BrowserContext, email: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const outbox = await context.request.get('/demo/outbox', { headers: { accept: 'application/json' } });
    const emails: { to: string; links: string[] }[] = await outbox.json();
    return emails.find(({ to }) => to === email)?.links[0];
  };
  await expect.poll(find).toBeTruthy();
  return (await find()) ?? '';
}
