import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { brokenRules } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, keepPicture, looks } from './form.ts';

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;
const PASSWORD = 'quiet otter lamp 7';
/** Every page of the dashboard is one yet to be built, so it says "not found" with status 200. */
const protectedPage = '/dashboard/my-item?q=oud&sort=-price#row-3';

let people = 0;
const someone = () => `ines-${Date.now()}-${process.pid}-${++people}@example.com`;

async function signUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Ines Moreau');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Signup', exact: true }).click();
}

async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** The link of the newest letter to somebody, as the demo's outbox shows it. */
async function linkFor(request: APIRequestContext, email: string, subject: RegExp, nth = 1): Promise<string> {
  const find = async () => {
    const letters: { to: string; subject: string; links: string[] }[] = await (
      await request.get('/demo/outbox', { headers: { accept: 'application/json' } })
    ).json();
    return letters.filter((letter) => letter.to === email && subject.test(letter.subject));
  };
  await expect.poll(async () => (await find()).length).toBeGreaterThanOrEqual(nth);
  return (await find())[0]?.links[0] ?? '';
}

/** An account whose address is verified, made without the screens. Nobody is signed in afterwards. */
async function account(browser: Browser, baseURL: string | undefined): Promise<string> {
  const email = someone();
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  await context.request.post('/api/auth/sign-up/email', { data: { name: 'Ines Moreau', email, password: PASSWORD } });
  await context.request.get(await linkFor(context.request, email, /^Verify/));
  await context.close();
  return email;
}

const gate = (page: Page) => page.getByRole('heading', { name: 'Your Email is not verified!!' });
const inside = (page: Page) => page.getByRole('heading', { name: 'My Items', exact: true });
const toast = (page: Page, text: string) => page.locator('.Toastify').getByText(text, { exact: true });

function accessToken(page: Page): Promise<string> {
  return page.evaluate(() => localStorage.getItem('accessToken') ?? '');
}

async function here(page: Page): Promise<string> {
  const { pathname, search, hash } = new URL(page.url());
  return pathname + search + hash;
}

test.describe('a newcomer', () => {
  test('signs up, is stopped at the gate, asks again, opens the mail and is in', async ({ page, request }) => {
    const email = someone();
    await page.goto(protectedPage);
    await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await expect(page.getByRole('heading', { name: 'Signup' })).toBeVisible();
    await signUp(page, email);

    await expect(gate(page)).toBeVisible();
    await expect(page.getByText('Please Verify your email address')).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    expect(await here(page)).toBe(protectedPage);
    const first = await linkFor(request, email, /^Verify/);
    expect(new URL(first).searchParams.get('returnTo')).toBe(protectedPage);
    expect(await accessToken(page)).toBe('');

    await page.getByRole('button', { name: 'Send the mail again' }).click();
    await expect(toast(page, 'We Sent a email')).toBeVisible();
    const again = await linkFor(request, email, /^Verify/, 2);

    // In another tab: the gate notices by itself, and both tabs are at the exact page.
    const [outbox] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open the demo’s outbox' }).click(),
    ]);
    await outbox.getByRole('article').filter({ hasText: email }).first().getByRole('link').click();
    await expect(inside(outbox)).toBeVisible();
    expect(await here(outbox)).toBe(protectedPage);
    await expect(inside(page)).toBeVisible();
    expect(await here(page)).toBe(protectedPage);
    expect(again).toContain('/api/auth/verify-email');
    await expect.poll(() => accessToken(page)).toMatch(/^ey/);
  });

  test(
    'whose mail was opened elsewhere is told to log in, and the gate is gone',
    anyScreen,
    async ({ page, request, browser }) => {
      const email = someone();
      await page.goto('/register?from=%2Fdashboard%2Fmy-item');
      await signUp(page, email);
      await expect(gate(page)).toBeVisible();
      const phone = await browser.newContext();
      await phone.request.get(await linkFor(request, email, /^Verify/));
      await phone.close();
      await expect(page.getByText(/^This sign-in has ended/)).toBeVisible({ timeout: 10_000 });
      await logIn(page, email);
      await expect(inside(page)).toBeVisible();
      expect(await here(page)).toBe('/dashboard/my-item');
    },
  );

  test('who did not come from a protected page is told of the mail, and is home', anyScreen, async ({ page }) => {
    const email = someone();
    await page.goto('/register');
    await signUp(page, email);
    await expect(page.getByText(`We sent a mail to ${email}.`, { exact: false })).toBeVisible();
    expect(await here(page)).toBe('/');
  });

  test('can leave the gate', anyScreen, async ({ page }) => {
    await page.goto('/register?from=%2Fdashboard%2Fmy-item');
    await signUp(page, someone());
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/');
    await page.goto('/dashboard/my-item');
    await expect(page.getByRole('heading', { name: 'Account Login' })).toBeVisible();
  });

  test('who asks too often reads the failure and how long to wait', anyScreen, async ({ page, faults }) => {
    faults.allow(/429/);
    await page.goto('/register?from=%2Fdashboard%2Fmy-item');
    await signUp(page, someone());
    await expect(gate(page)).toBeVisible();
    await page.route('**/send-verification-email', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { code: 'too_many', detail: 'No' } }),
    );
    await page.getByRole('button', { name: 'Send the mail again' }).click();
    await expect(toast(page, 'maybe try many time or Something went wrong')).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Too many attempts. Try again in 10 minutes.');
  });

  test('with a link that is too old reads so, and the address is clean', anyScreen, async ({ page }) => {
    await page.goto('/register?from=%2Fdashboard%2Fmy-item');
    await signUp(page, someone());
    await expect(gate(page)).toBeVisible();
    await page.goto(`/api/auth/verify-email?token=old&returnTo=${encodeURIComponent(protectedPage)}`);
    await expect(page.getByText(/^This link has been used, is too old/)).toBeVisible();
    await expect(gate(page)).toBeVisible();
    expect(await here(page)).toBe(protectedPage);
  });
});

test.describe('the login page', () => {
  test('stands in the words of the spec', async ({ page }) => {
    await page.goto('/login');
    await expect(page).toHaveTitle('Account Login · Perfume Warehouse');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Login');
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('type', 'email');
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('autocomplete', 'username');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password');
    await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked();
    await expect(page.getByRole('button', { name: 'Forgot Password?' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Started!' })).toHaveAttribute('href', '/register');
    const social = page.getByRole('button', { name: /^Continue with/ });
    await expect(social).toHaveText(['Continue with GitHub', 'Continue with Google']);
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await expect(page).toHaveURL('/register');
    await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('autocomplete', 'name');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'new-password');
    await expect(social).toHaveText(['Continue with GitHub', 'Continue with Google']);
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/login');
  });

  test(
    'says why it refused, in red and as the toast loginError, and keeps what was typed',
    anyScreen,
    async ({ page, browser, baseURL, faults }) => {
      faults.allow(/401/);
      const email = await account(browser, baseURL);
      await page.goto('/login');
      await logIn(page, email, 'not my password');
      const alert = page.getByRole('main').getByRole('alert');
      await expect(alert).toHaveText('Invalid email or password');
      await expect(alert).toHaveCSS('color', 'rgb(163, 40, 43)');
      const said = page.locator('#loginError');
      await expect(said).toHaveText('Invalid email or password');
      await expect(said).toHaveAttribute('role', 'alert');
      const box = await said.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan((page.viewportSize()?.width ?? 0) - 40);
      expect(box?.y).toBeLessThan(40);
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not my password');
      await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
      await page.mouse.move(5, 500);
      await expect(said).toBeHidden({ timeout: 7_000 });

      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/');
    },
  );

  test('asks for what is missing, moves to the first wrong field, and sends nothing', async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/login');
    await page.getByRole('button', { name: 'Log in' }).click();
    const email = page.getByLabel('Email', { exact: true });
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('This field is required');
    await email.fill('ines');
    await expect(email).not.toHaveAttribute('aria-invalid');
    await page.getByLabel('Password', { exact: true }).fill('x');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(email).toHaveAccessibleDescription('Enter an e-mail address');
    expect(sent).toEqual([]);
  });

  test('shows the password on request and tells of Caps Lock', async ({ page }) => {
    await page.goto('/login');
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('a secret');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(password).toHaveAttribute('type', 'text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(password).toHaveAttribute('type', 'password');
    await password.focus();
    await password.evaluate((input) =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true, bubbles: true })),
    );
    await expect(page.getByText('Caps Lock is on.')).toBeVisible();
    await password.blur();
    await expect(page.getByText('Caps Lock is on.')).toBeHidden();
  });

  test(
    'shows that it is at work and sends once, however often one presses',
    anyScreen,
    async ({ page, browser, baseURL }) => {
      const email = await account(browser, baseURL);
      let sent = 0;
      await page.route('**/api/auth/sign-in/email', async (route) => {
        sent++;
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      await page.goto('/login');
      await logIn(page, email);
      const button = page.getByRole('button', { name: 'Log in' });
      await expect(button).toHaveAttribute('aria-busy', 'true');
      await button.click({ force: true });
      await page.getByLabel('Password', { exact: true }).press('Enter');
      await expect(page).toHaveURL('/');
      expect(sent).toBe(1);
    },
  );

  test(
    'says how long to wait after too many attempts, and that the server is away',
    anyScreen,
    async ({ page, faults }) => {
      faults.allow(/429|failed request|ERR_FAILED/);
      await page.goto('/login');
      await page.route('**/api/auth/sign-in/email', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '840' }, json: { code: 'too_many', detail: 'No' } }),
      );
      await logIn(page, 'ines@example.com');
      await expect(page.locator('#loginError')).toHaveText('Too many attempts. Try again in 14 minutes.');
      await page.unroute('**/api/auth/sign-in/email');
      await page.route('**/api/auth/sign-in/email', (route) => route.abort());
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(/could not be reached/);
      await expect(page.locator('#loginError')).toHaveText(/could not be reached/);
    },
  );

  test('sends signed-in people on', anyScreen, async ({ page, browser, baseURL }) => {
    const email = await account(browser, baseURL);
    await page.goto('/login');
    await logIn(page, email);
    await expect(page).toHaveURL('/');
    await page.goto(`/login?from=${encodeURIComponent('/about?a=1#b')}`);
    await expect(page).toHaveURL('/about?a=1#b');
    await page.goto('/register');
    await expect(page).toHaveURL('/');
  });

  for (const from of ['https://evil.example', '//evil.example', '/\\evil.example', '/%2f%2fevil.example', '/login'])
    test(`never leads to ${from}`, async ({ page, browser, baseURL }) => {
      test.skip(isPhone(page), 'the same on both');
      const email = await account(browser, baseURL);
      await page.goto(`/login?from=${encodeURIComponent(from)}`);
      await logIn(page, email);
      await expect(page).toHaveURL('/');
    });
});

test.describe('the register page', () => {
  test(
    'refuses a poor password beside its field, in red with "Error: ", and as registerError',
    anyScreen,
    async ({ page, faults }) => {
      faults.allow(/422/);
      await page.goto('/register');
      await page.getByLabel('Name', { exact: true }).fill('Ines');
      await page.getByLabel('Email', { exact: true }).fill(someone());
      const password = page.getByLabel('Password', { exact: true });
      await password.fill('short');
      await page.getByRole('button', { name: 'Signup', exact: true }).click();
      await expect(password).toHaveAccessibleDescription(/^At least 8 characters/);
      await password.fill('password123');
      await page.getByRole('button', { name: 'Signup', exact: true }).click();
      const text = 'This password is among the first anyone would try. Choose another.';
      await expect(page.locator('#registerError')).toHaveText(`Error: ${text}`);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(`Error: ${text}`);
      await expect(password).toBeFocused();
      await expect(password).toHaveAccessibleDescription(new RegExp(`^${text}`));
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ines');
      await expect(password).toHaveValue('password123');
    },
  );
});

test.describe('a forgotten password', anyScreen, () => {
  test('needs an address', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Forgot Password?' }).click();
    await expect(toast(page, 'please enter your email address')).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  });

  test('is replaced by the link in the mail, which works once', async ({ page, browser, baseURL, request, faults }) => {
    faults.allow(/40[01]/);
    const email = await account(browser, baseURL);
    await page.goto('/login');
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Forgot Password?' }).click();
    await expect(toast(page, 'We sent a Reset email')).toBeVisible();
    const link = await linkFor(request, email, /password/i);

    await page.goto(link);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password');
    await expect(page).toHaveURL('/reset-password');
    await page.getByLabel('New password', { exact: true }).fill('violet harbour 12');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Your new password is set. Log in with it.')).toBeVisible();
    await logIn(page, email);
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Invalid email or password');
    await logIn(page, email, 'violet harbour 12');
    await expect(page).toHaveURL('/');

    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('violet harbour 13');
    await page.getByRole('button', { name: 'Set the password' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('This link no longer works');
    await expect(heading).toBeFocused();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Send a new mail' }).click();
    await expect(toast(page, 'We sent a Reset email')).toBeVisible();
  });

  test('a page without its link says so', async ({ page }) => {
    await page.goto('/reset-password');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  });
});

/** On the page that stands in for a provider. */
async function beSomeone(page: Page, { verified } = { verified: true }): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who would you like to be?' })).toBeVisible();
  await page.getByLabel('Name').fill('Aiko Tanaka');
  await page.getByLabel('E-mail').fill(someone());
  await page.getByRole('checkbox').setChecked(verified);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test.describe('another provider', anyScreen, () => {
  for (const provider of ['GitHub', 'Google'])
    test(`${provider} leads in, and back to the exact page`, async ({ page }) => {
      await page.goto(protectedPage);
      await page.getByRole('button', { name: `Continue with ${provider}` }).click();
      await beSomeone(page);
      await expect(inside(page)).toBeVisible();
      expect(await here(page)).toBe(protectedPage);
    });

  test('from the register page leads back there with an error, and to the gate when the address is not verified', async ({
    page,
  }) => {
    await page.goto(protectedPage);
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const refused = 'Error: You did not agree to sign in there.';
    await expect(page.locator('#registerError')).toHaveText(refused);
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(refused);
    expect(await here(page)).toBe(`/register?from=${encodeURIComponent(protectedPage)}`);
    await page.getByRole('button', { name: 'Continue with GitHub' }).click();
    await beSomeone(page, { verified: false });
    await expect(gate(page)).toBeVisible();
    expect(await here(page)).toBe(protectedPage);
  });

  test('that refuses leads back to the login page, which says why and still knows the way', async ({
    page,
    browser,
    baseURL,
  }) => {
    const email = await account(browser, baseURL);
    await page.goto(protectedPage);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.locator('#loginError')).toHaveText('You did not agree to sign in there.');
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('You did not agree to sign in there.');
    expect(await here(page)).not.toContain('error');
    await logIn(page, email);
    await expect(inside(page)).toBeVisible();
    expect(await here(page)).toBe(protectedPage);
  });
});

test.describe('staying signed in', anyScreen, () => {
  for (const remember of [true, false])
    test(`${remember ? 'outlives' : 'ends with'} the browser`, async ({ page, context, browser, baseURL }) => {
      const email = await account(browser, baseURL);
      await page.goto('/login');
      if (!remember) await page.getByRole('checkbox', { name: 'Remember me' }).uncheck();
      await logIn(page, email);
      await expect(page).toHaveURL('/');
      // What a browser keeps when it is closed: cookies with a date.
      const kept = (await context.cookies()).filter((cookie) => cookie.expires > 0);
      const { origins } = await context.storageState();
      const next = await browser.newContext({
        ...(baseURL !== undefined && { baseURL }),
        storageState: { cookies: kept, origins },
      });
      const later = await next.newPage();
      await later.goto('/dashboard/my-item');
      await expect(remember ? inside(later) : later.getByRole('heading', { name: 'Account Login' })).toBeVisible();
      await next.close();
    });

  test('is known from the first byte: the loading view does not flash, and nothing is asked', async ({
    page,
    browser,
    baseURL,
  }) => {
    const email = await account(browser, baseURL);
    await page.goto('/login');
    await logIn(page, email);
    await expect.poll(() => accessToken(page)).toMatch(/^ey/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.addInitScript(() => {
      const seen = { loading: false };
      Object.assign(window, { seen });
      new MutationObserver(() => {
        if (document.body?.innerText.includes('please don')) seen.loading = true;
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/about');
    await expect.poll(() => asked).toContain('/login');
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => (window as unknown as { seen: { loading: boolean } }).seen.loading)).toBe(false);
    expect(asked).not.toContain('/api/auth/get-session');
    expect(asked.filter((path) => path === '/login')).toHaveLength(1);
  });

  test('that is unknown shows the loading view in place of all routes', async ({ page, browser, baseURL }) => {
    const email = await account(browser, baseURL);
    await page.goto('/login');
    await logIn(page, email);
    await expect(page).toHaveURL('/');
    // As from a host that only serves files: the page knows nobody.
    await page.route('**/dashboard/my-item', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/<script type="application\/json" id="boot">.*?<\/script>/, ''),
      });
    });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/auth/get-session', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto('/dashboard/my-item');
    await expect(page.getByText('Loading...')).toBeVisible();
    await expect(page.getByText("This may take a few seconds, please don't close this page.")).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
    answer();
    await expect(inside(page)).toBeVisible();
  });
});

test.describe('two tabs', () => {
  test('agree: signing in here signs in there, signing out as well', async ({ page, context, browser, baseURL }) => {
    const email = await account(browser, baseURL);
    const other = await context.newPage();
    await other.goto(protectedPage);
    await expect(other.getByRole('heading', { name: 'Account Login' })).toBeVisible();
    await page.goto('/login');
    await logIn(page, email);
    await expect(inside(other)).toBeVisible();
    expect(await here(other)).toBe(protectedPage);
    await expect.poll(() => accessToken(other)).toMatch(/^ey/);

    await page.bringToFront();
    if (isPhone(page)) {
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click();
    } else {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
    }
    await expect(other.getByRole('heading', { name: 'Account Login' })).toBeVisible();
    expect(new URL(other.url()).searchParams.get('from')).toBe(protectedPage);
    expect(await accessToken(other)).toBe('');
    await other.goto('/');
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Perfume Warehouse');
    await other.goto('/dashboard/my-item');
    await expect(other.getByRole('heading', { name: 'Account Login' })).toBeVisible();
  });
});

test('the forms can be read before any script has run', anyScreen, async ({ request }) => {
  for (const [path, text] of [
    ['/login?from=%2Fdashboard%2Fmy-item', 'href="/register?from=%2Fdashboard%2Fmy-item"'],
    ['/register', 'autoComplete="new-password"'],
    ['/reset-password?token=abc', 'Set a new password'],
  ] as const) {
    const html = await (await request.get(path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(text);
    expect(html).not.toMatch(/ style="/);
    expect(html).not.toContain('abc"');
  }
});

test.describe('every width, theme and direction', () => {
  const pages = ['/login', '/register', '/reset-password?token=abc', '/reset-password', 'gate'];
  for (const path of pages)
    for (const [language, colorScheme] of looks)
      test(`${path} in ${language}, ${colorScheme}`, async ({ page, context, baseURL }, info) => {
        test.skip(info.project.name !== 'desktop', 'it sets its own sizes');
        await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        if (path === 'gate')
          await context.request.post('/api/auth/sign-up/email', {
            data: { name: 'Ines', email: someone(), password: PASSWORD },
          });
        // Colours do not change where things stand: of the same language in the dark one width tells.
        const widths = language === 'ar' || colorScheme === 'light' ? [320, 390, 768, 1366] : [390];
        await page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
        await page.goto(path === 'gate' ? '/dashboard/my-item' : path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const submit = page.locator('form button[type=submit]');
        // With what is wrong, which is when a form is longest.
        if (await submit.count()) await submit.click();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.locator('body').innerText()).not.toMatch(
            /\b(?:login|register|identity|reset|gate|refused|forgot)\.[a-z]|\{\w+\}/,
          );
          const sideways = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
          expect(await page.evaluate(sideways), `sideways scroll at ${width}`).toBe(0);
          const small = await page.evaluate(() =>
            [
              ...document.querySelectorAll<HTMLElement>(
                'main button, main input:not([type=checkbox]), main label:has(input), main a',
              ),
            ]
              .filter((target) => target.getBoundingClientRect().height < 43.5 && !target.closest('[class*=frame]'))
              .map((target) => target.outerHTML),
          );
          expect(small, `small targets at ${width}`).toEqual([]);
          await keepPicture(page, info, String(width));
        }
        expect(await brokenRules(page)).toEqual([]);
      });
});
