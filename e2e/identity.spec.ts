import { createHmac } from 'node:crypto';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { parametersOf, verify } from './email-link.ts';
import { expect, test } from './fixtures.ts';
import { anyScreen, appearances, phoneOnly, saveScreenshot } from './form.ts';
import { expectLargeEnough, expectToFitAt } from './screens.ts';
import { beSomeone } from './social-login.ts';

const PASSWORD = 'quiet otter lamp 7';
const protectedPage = '/dashboard/my-item?q=oud&sort=-price#row-3';

let people = 0;
const newEmail = () => `ines-${Date.now()}-${process.pid}-${++people}@example.com`;

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

/** Returns the link in the newest email to an address, from the demo's outbox. */
async function linkFor(request: APIRequestContext, email: string, subject: RegExp, nth = 1): Promise<string> {
  const findEmails = async () => {
    const emails: { to: string; subject: string; links: string[] }[] = await (
      await request.get('/demo/outbox', { headers: { accept: 'application/json' } })
    ).json();
    return emails.filter((message) => message.to === email && subject.test(message.subject));
  };
  await expect.poll(async () => (await findEmails()).length).toBeGreaterThanOrEqual(nth);
  return (await findEmails())[0]?.links[0] ?? '';
}

/** Creates an account with a verified address over HTTP. Nobody is logged in afterwards. */
async function createAccount(browser: Browser, baseURL: string | undefined): Promise<string> {
  const email = newEmail();
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  await context.request.post('/api/auth/sign-up/email', { data: { name: 'Ines Moreau', email, password: PASSWORD } });
  await verify(context.request, await linkFor(context.request, email, /^Verify/));
  await context.close();
  return email;
}

const verificationHeading = (page: Page) => page.getByRole('heading', { name: 'Your Email is not verified!!' });
const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify my email address' });
const loginHeading = (page: Page) => page.getByRole('heading', { name: 'Account Login' });
const myItemsHeading = (page: Page) => page.getByRole('heading', { name: 'My Items', exact: true });
const toast = (page: Page, text: string) => page.locator('.Toastify').getByText(text, { exact: true });

function accessToken(page: Page): Promise<string> {
  return page.evaluate(() => localStorage.getItem('accessToken') ?? '');
}

/** Whether the session ends with the browser, and the browser keeps nothing for the time after it. */
async function isBriefLogin(page: Page): Promise<boolean> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'perfume');
  const kept = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  return cookie?.expires === -1 && !kept.some((name) => name?.startsWith('seen '));
}

/** The home page's link to the dashboard. */
const manageLink = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Manage Inventory' });

test(
  'a new user signs up, sees the verification page, opens the email and is logged in, in both tabs',
  phoneOnly,
  async ({ page, request, browserErrors }) => {
    browserErrors.allow(/4(?:00|29)/);
    // The server refuses requests that a page sends at the moment of the logout.
    browserErrors.allow(/401 .*\/(?:events|alerts|my-items|insights)/);
    const email = newEmail();
    await page.goto(protectedPage);
    await expect(loginHeading(page)).toBeVisible();
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await expect(page.getByRole('heading', { name: 'Signup' })).toBeVisible();
    await signUp(page, email);

    await test.step('the verification page remembers the exact page', async () => {
      await expect(verificationHeading(page)).toBeVisible();
      await expect(page.getByText('Please Verify your email address')).toBeVisible();
      await expect(page.getByText(email)).toBeVisible();
      await expect(page).toHaveURL(protectedPage);
      const link = await linkFor(request, email, /^Verify/);
      expect(parametersOf(link).get('returnTo')).toBe(protectedPage);
      await expect.poll(() => accessToken(page)).toBe('');
    });

    await test.step('too many requests show the failure and how long to wait', async () => {
      await page.route('**/send-verification-email', (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { code: 'too_many', detail: 'No' } }),
      );
      await page.getByRole('button', { name: 'Send the email again' }).click();
      await expect(toast(page, 'maybe try many time or Something went wrong')).toBeVisible();
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('Too many attempts. Try again in 10 minutes.');
      await page.unrouteAll();
    });

    await test.step('the email is sent again', async () => {
      await page.getByRole('button', { name: 'Send the email again' }).click();
      await expect(toast(page, 'We Sent a email')).toBeVisible();
      expect(await linkFor(request, email, /^Verify/, 2)).toContain('/verify-email#token=');
    });

    await test.step('an expired link says so, and the token leaves the address bar', async () => {
      await page.goto(`/api/auth/verify-email?token=old&returnTo=${encodeURIComponent(protectedPage)}`);
      await expect(page).toHaveURL('/verify-email');
      await verifyButton(page).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await expect(page.getByRole('button', { name: 'Send the email again' })).toBeVisible();
      await page.goto(protectedPage);
      await expect(verificationHeading(page)).toBeVisible();
    });

    const other =
      await test.step('in another tab, the button leads to the exact page, and the first tab notices', async () => {
        const [outbox] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: 'Open the demo outbox' }).click(),
        ]);
        await outbox.getByRole('article').filter({ hasText: email }).first().getByRole('link').click();
        await expect(outbox).toHaveURL('/verify-email');
        await expect(verificationHeading(page)).toBeVisible();
        await verifyButton(outbox).click();
        await expect(myItemsHeading(outbox)).toBeVisible();
        await expect(outbox).toHaveURL(protectedPage);
        await expect(myItemsHeading(page)).toBeVisible();
        await expect(page).toHaveURL(protectedPage);
        await expect.poll(() => accessToken(page)).toMatch(/^ey/);
        return outbox;
      });

    await test.step('logging out here logs out there', async () => {
      await page.bringToFront();
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await expect(page).toHaveURL('/');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perfume Warehouse');
      await expect(loginHeading(other)).toBeVisible();
      await expect.poll(() => new URL(other.url()).searchParams.get('from')).toBe(protectedPage);
      await expect.poll(() => accessToken(other)).toBe('');
    });

    await test.step('logging in here logs in there', async () => {
      await manageLink(page).click();
      await expect(loginHeading(page)).toBeVisible();
      await logIn(page, email);
      await expect(page).toHaveURL('/dashboard/manage-inventory');
      await expect(myItemsHeading(other)).toBeVisible();
      await expect(other).toHaveURL(protectedPage);
      await expect.poll(() => accessToken(other)).toMatch(/^ey/);
    });
  },
);

test(
  'a new user chooses a password, can leave the verification page, and may verify in another browser',
  anyScreen,
  async ({ page, request, browser, baseURL, browserErrors }) => {
    browserErrors.allow(/422/);
    const email = newEmail();
    await page.goto('/register');

    await test.step('a weak password is refused beside its field, in red with "Error: ", and as the toast registerError', async () => {
      await page.getByLabel('Name', { exact: true }).fill('Ines');
      await page.getByLabel('Email', { exact: true }).fill(email);
      const password = page.getByLabel('Password', { exact: true });
      await password.fill('short');
      await page.getByRole('button', { name: 'Signup', exact: true }).click();
      await expect(password).toHaveAccessibleDescription(/^Use at least 8 characters/);
      await password.fill('password123');
      await page.getByRole('button', { name: 'Signup', exact: true }).click();
      const text = 'This password is too common. Choose another one.';
      await expect(page.locator('#registerError')).toHaveText(`Error: ${text}`);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(`Error: ${text}`);
      await expect(password).toBeFocused();
      await expect(password).toHaveAccessibleDescription(new RegExp(`^${text}`));
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ines');
      await expect(password).toHaveValue('password123');
    });

    await test.step('after signing up from a public page, a toast mentions the email and the home page opens', async () => {
      await signUp(page, email);
      await expect(page.getByText(`We sent an email to ${email}.`, { exact: false })).toBeVisible();
      await expect(page).toHaveURL('/');
    });

    await test.step('the verification page can be left', async () => {
      await manageLink(page).click();
      await expect(verificationHeading(page)).toBeVisible();
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page).toHaveURL('/');
      await manageLink(page).click();
      await expect(loginHeading(page)).toBeVisible();
    });

    await test.step('verified in a browser that did not sign up, the address gets a new password', async () => {
      await logIn(page, email);
      await expect(verificationHeading(page)).toBeVisible();
      const phone = await browser.newContext(baseURL === undefined ? {} : { baseURL }).then((one) => one.newPage());
      await phone.goto(await linkFor(request, email, /^Verify/));
      await verifyButton(phone).click();
      await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Choose a password');
      await expect(phone).toHaveURL('/reset-password');
      await phone.getByLabel('New password', { exact: true }).fill('violet harbour 12');
      await phone.getByRole('button', { name: 'Set password' }).click();
      await expect(phone).toHaveURL('/login');
      await phone.context().close();
      await expect(page.getByText(/^You were logged out. Log in to continue/)).toBeVisible();
      await logIn(page, email, 'violet harbour 12');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Inventory');
      await expect(page).toHaveURL('/dashboard/manage-inventory');
    });
  },
);

test('the login and register pages have the texts of the spec and helpful forms', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/login');
  const email = page.getByLabel('Email', { exact: true });
  const password = page.getByLabel('Password', { exact: true });

  await test.step('both have the texts of the spec', async () => {
    await expect(page).toHaveTitle('Account Login · Perfume Warehouse');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Login');
    await expect(email).toHaveAttribute('type', 'email');
    await expect(email).toHaveAttribute('autocomplete', 'username');
    await expect(password).toHaveAttribute('autocomplete', 'current-password');
    await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked();
    await expect(page.getByRole('button', { name: 'Forgot Password?' })).toBeVisible();
    const social = page.getByRole('button', { name: /^Continue with/ });
    await expect(social).toHaveText(['Continue with GitHub', 'Continue with Google']);
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await expect(page).toHaveURL('/register');
    await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('autocomplete', 'name');
    await expect(password).toHaveAttribute('autocomplete', 'new-password');
    await expect(social).toHaveText(['Continue with GitHub', 'Continue with Google']);
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await expect(page).toHaveURL('/login');
  });

  await test.step('they say who can sign up when not everyone can', async () => {
    let mode = 'invited';
    // Imitates a server with another SIGN_UP. The page that the server rendered is removed, so the browser renders it.
    await page.route(/\/(login|register)$/, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replace(
        /(<div id="root">).*(<\/div>\s*<script type="application\/json")/s,
        '$1$2',
      );
      await route.fulfill({ response, body: html.replace('"signUp":"open"', `"signUp":"${mode}"`) });
    });
    await page.goto('/login');
    await expect(page.getByText('New accounts are by invitation only.')).toBeVisible();
    await page.getByRole('link', { name: 'Get Started!' }).click();
    await expect(page.getByText('You need an invitation to sign up here.')).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();

    mode = 'closed';
    await page.goto('/register');
    await expect(page.getByText('This warehouse takes no new accounts at the moment.')).toBeVisible();
    await expect(page.locator('form')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveCount(0);
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await expect(page.getByText('This warehouse takes no new accounts at the moment.')).toBeVisible();
    await expect(page.getByRole('link', { name: /Get Started|Signup/ })).toHaveCount(0);
    await page.unrouteAll();
    await page.goto('/login?error=sign_up_refused');
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'This address cannot sign up here. Ask for an invitation.',
    );
  });

  await test.step('a missing field is reported and focused, and nothing is sent', async () => {
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(email).toBeFocused();
    await expect(email).toHaveAccessibleDescription('This field is required');
    await email.fill('ines');
    await expect(email).not.toHaveAttribute('aria-invalid');
    await password.fill('a secret');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(email).toHaveAccessibleDescription('Enter a valid email address');
    expect(sent).toEqual([]);
  });

  await test.step('shows the password on request and warns about Caps Lock', async () => {
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
});

test(
  'the login page explains refusals, sends once, and redirects only within the site',
  anyScreen,
  async ({ page, context, browser, baseURL, browserErrors }) => {
    browserErrors.allow(/401|429|failed request|ERR_FAILED/);
    const email = await createAccount(browser, baseURL);
    await page.goto(`/login?from=${encodeURIComponent('//evil.example')}`);
    const signIn = '**/api/auth/sign-in/email';
    const alert = page.getByRole('main').getByRole('alert');
    const message = page.locator('#loginError');
    const password = page.getByLabel('Password', { exact: true });

    await test.step('after too many attempts it says how long to wait', async () => {
      await page.route(signIn, (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '840' }, json: { code: 'too_many', detail: 'No' } }),
      );
      await logIn(page, email, 'not my password');
      await expect(message).toHaveText('Too many attempts. Try again in 14 minutes.');
      await page.unroute(signIn);
    });

    await test.step('it says that the server is unreachable', async () => {
      await page.route(signIn, (route) => route.abort());
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(alert).toHaveText(/No answer from the server/);
      await expect(message).toHaveText(/No answer from the server/);
      await page.unroute(signIn);
    });

    await test.step('a wrong password shows in red and as the toast loginError at the top right, and the input stays', async () => {
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(alert).toHaveText('Invalid email or password');
      await expect(alert).toHaveCSS('color', 'rgb(163, 40, 43)');
      await expect(message).toHaveText('Invalid email or password');
      await expect(message).toHaveAttribute('role', 'alert');
      const box = await message.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan((page.viewportSize()?.width ?? 0) - 40);
      // The toast is below the header, so that it covers no buttons.
      expect(box?.y).toBeLessThan(80);
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
      await expect(password).toHaveValue('not my password');
      await expect(password).toBeFocused();
      await page.mouse.move(5, 500);
      // The toast stays for five seconds, the length of an animation, which this test plays faster.
      const devtools = await context.newCDPSession(page);
      await devtools.send('Animation.enable');
      await devtools.send('Animation.setPlaybackRate', { playbackRate: 20 });
      await expect(message).toBeHidden();
    });

    await test.step('the right password is sent once, however often the button is clicked, and never redirects to another site', async () => {
      let sent = 0;
      const { promise: pressedAgain, resolve: goOn } = Promise.withResolvers<void>();
      await page.route(signIn, async (route) => {
        sent++;
        await pressedAgain;
        await route.continue();
      });
      await password.fill(PASSWORD);
      await page.keyboard.press('Enter');
      const button = page.getByRole('button', { name: 'Log in' });
      await expect(button).toHaveAttribute('aria-busy', 'true');
      await button.click({ force: true });
      await password.press('Enter');
      goOn();
      await expect(page).toHaveURL('/');
      expect(sent).toBe(1);
      await page.unroute(signIn);
    });

    await test.step('logged-in people are redirected', async () => {
      await page.goto(`/login?from=${encodeURIComponent('/about?a=1#b')}`);
      await expect(page).toHaveURL('/about?a=1#b');
      await page.goto('/register');
      await expect(page).toHaveURL('/');
    });
  },
);

test(
  'a forgotten password is reset with the link in the email, which works once',
  anyScreen,
  async ({ page, browser, baseURL, request, browserErrors }) => {
    browserErrors.allow(/40[01]/);
    const email = await createAccount(browser, baseURL);
    await page.goto('/login');

    await test.step('an email address is required', async () => {
      await page.getByRole('button', { name: 'Forgot Password?' }).click();
      await expect(toast(page, 'please enter your email address')).toBeVisible();
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
    });

    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Forgot Password?' }).click();
    await expect(toast(page, 'We sent a Reset email')).toBeVisible();
    const link = await linkFor(request, email, /password/i);

    await test.step('the link sets a new password, and the old one stops working', async () => {
      await page.goto(link);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set a new password');
      await expect(page).toHaveURL('/reset-password');
      await page.getByLabel('New password', { exact: true }).fill('violet harbour 12');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page).toHaveURL('/login');
      await expect(page.getByText('Your password was changed. Log in with the new one.')).toBeVisible();
      await logIn(page, email);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('Invalid email or password');
      await logIn(page, email, 'violet harbour 12');
      await expect(page).toHaveURL('/');
    });

    await test.step('the second use says so, and another email can be sent', async () => {
      await page.goto(link);
      await page.getByLabel('New password', { exact: true }).fill('violet harbour 13');
      await page.getByRole('button', { name: 'Set password' }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText('This link no longer works');
      await expect(heading).toBeFocused();
      await page.getByLabel('Email', { exact: true }).fill(email);
      await page.getByRole('button', { name: 'Send a new email' }).click();
      await expect(toast(page, 'We sent a Reset email')).toBeVisible();
    });
  },
);

test(
  'a social login returns to the exact page, or explains the refusal on the page where it started',
  anyScreen,
  async ({ page, context }) => {
    const refused = 'You cancelled the login. Try again or log in another way.';
    const from = encodeURIComponent(protectedPage);
    await page.goto(protectedPage);

    await test.step('a refusal returns to the login page, which says why and still knows the origin page', async () => {
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.locator('#loginError')).toHaveText(refused);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(refused);
      await expect(page).toHaveURL(`/login?from=${from}`);
    });

    const email = newEmail();
    await test.step('consent logs in', async () => {
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await beSomeone(page, { verified: true, email });
      await expect(myItemsHeading(page)).toBeVisible();
      await expect(page).toHaveURL(protectedPage);
    });

    await test.step('a linked provider is unlinked in the settings, but not the only way to log in', async () => {
      await page.goto('about:blank');
      await context.clearCookies();
      await page.goto('/login?from=%2Fdashboard%2Fsettings');
      await page.getByRole('checkbox', { name: 'Remember me' }).uncheck();
      await page.getByRole('button', { name: 'Continue with GitHub' }).click();
      await beSomeone(page, { verified: true, email });
      expect(await isBriefLogin(page)).toBe(true);
      const linked = page.getByRole('list', { name: 'Linked accounts' });
      await expect(linked.getByRole('listitem')).toHaveText([/^Google/, /^GitHub/]);
      await linked.getByRole('button', { name: 'Unlink Google' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
      await expect(toast(page, 'You can no longer log in with Google.')).toBeVisible();
      await expect(linked.getByRole('listitem')).toHaveText([
        'GitHubThis is your only way to log in. Set a password first.',
      ]);
    });

    await test.step('a refusal returns to the register page if it started there', async () => {
      // Leaves the dashboard first, because it would send requests without a session.
      await page.goto('about:blank');
      await context.clearCookies();
      await page.goto(protectedPage);
      await page.getByRole('link', { name: 'Get Started!' }).click();
      // The login page, which has such a button too, stays until this one is loaded.
      await expect(page.getByRole('heading', { name: 'Signup', level: 1 })).toBeVisible();
      await page.getByRole('button', { name: 'Continue with GitHub' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.locator('#registerError')).toHaveText(`Error: ${refused}`);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(`Error: ${refused}`);
      await expect(page).toHaveURL(`/register?from=${from}`);
    });

    await test.step('an unverified address leads to the verification page', async () => {
      await page.getByRole('button', { name: 'Continue with GitHub' }).click();
      await beSomeone(page, { verified: false, email: newEmail() });
      await expect(verificationHeading(page)).toBeVisible();
      await expect(page).toHaveURL(protectedPage);
    });
  },
);

test(
  'a remembered session outlives the browser and is known from the first byte',
  anyScreen,
  async ({ page, context, browser, baseURL }) => {
    const email = await createAccount(browser, baseURL);
    /** Imitates closing and reopening the browser, which keeps only cookies with an expiry date. */
    const closeAndOpenBrowser = async () => {
      await Promise.all(context.pages().map((tab) => tab.close()));
      const persistent = (await context.cookies()).filter((cookie) => cookie.expires > 0);
      await context.clearCookies();
      await context.addCookies(persistent);
      return context.newPage();
    };

    const unknown = await test.step('without "Remember me" it ends with the browser', async () => {
      await page.goto('/login');
      await page.getByRole('checkbox', { name: 'Remember me' }).uncheck();
      await logIn(page, email);
      await expect(page).toHaveURL('/');
      const later = await closeAndOpenBrowser();
      await later.goto('/dashboard/my-item');
      await expect(loginHeading(later)).toBeVisible();
      return later;
    });

    const known = await test.step('with "Remember me" it outlives the browser', async () => {
      await logIn(unknown, email);
      await expect(myItemsHeading(unknown)).toBeVisible();
      const later = await closeAndOpenBrowser();
      await later.goto('/dashboard/my-item');
      await expect(myItemsHeading(later)).toBeVisible();
      await expect.poll(() => accessToken(later)).toMatch(/^ey/);
      return later;
    });

    await test.step('the loading view does not flash, and no request is sent', async () => {
      const requested: string[] = [];
      known.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await known.addInitScript(() => {
        const seen = { loading: false };
        Object.assign(window, { seen });
        new MutationObserver(() => {
          if (document.body?.innerText.includes('please don')) seen.loading = true;
        }).observe(document, { childList: true, subtree: true });
      });
      await known.goto('/about');
      await expect.poll(() => requested).toContain('/login');
      await known.waitForLoadState('networkidle');
      expect(await known.evaluate(() => (window as unknown as { seen: { loading: boolean } }).seen.loading)).toBe(
        false,
      );
      expect(requested).not.toContain('/api/auth/get-session');
      expect(requested.filter((path) => path === '/login')).toHaveLength(1);
    });

    await test.step('if the page does not contain the session, the loading view replaces all routes', async () => {
      // Imitates a static host, whose pages contain no session.
      await known.route('**/dashboard/my-item', async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replace(/<script type="application\/json" id="boot">.*?<\/script>/, ''),
        });
      });
      const { promise: seen, resolve: response } = Promise.withResolvers<void>();
      await known.route('**/api/auth/get-session', async (route) => {
        await seen;
        await route.continue();
      });
      // Otherwise the app opens with the person who was here last, as it does without a connection.
      await known.evaluate(() => localStorage.removeItem('lastUser'));
      await known.goto('/dashboard/my-item', { waitUntil: 'commit' });
      await expect(known.getByText('Loading...')).toBeVisible();
      await expect(known.getByText("This may take a few seconds, please don't close this page.")).toBeVisible();
      await expect(known.getByRole('banner')).toHaveCount(0);
      response();
      await expect(myItemsHeading(known)).toBeVisible();
    });
  },
);

test('the forms are readable without scripts and lead to no other site', anyScreen, async ({ request }) => {
  for (const [path, text] of [
    ['/login?from=%2Fdashboard%2Fmy-item', 'href="/register?from=%2Fdashboard%2Fmy-item"'],
    ...['https://evil.example', '//evil.example', '/\\evil.example', '/%2f%2fevil.example', '/login'].map(
      (from) => [`/login?from=${encodeURIComponent(from)}`, 'href="/register"'] as const,
    ),
    ['/register', 'autoComplete="new-password"'],
    ['/reset-password?token=abc', 'Set a new password'],
    ['/verify-email', 'Verify my email address'],
  ] as const) {
    const html = await (await request.get(path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(text);
    expect(html).not.toMatch(/ style="/);
    expect(html).not.toContain('abc"');
  }
});

for (const [language, colorScheme] of appearances)
  test(
    `every form at every width in ${language}, ${colorScheme}`,
    anyScreen,
    async ({ page, context, baseURL }, info) => {
      test.skip(info.project.name !== 'desktop', 'it sets its own sizes');
      await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Colours do not change the layout, so one width is enough in dark mode.
      const widths = language === 'ar' || colorScheme === 'light' ? [320, 390, 768, 1366] : [390];
      for (const path of [
        '/login',
        '/register',
        '/reset-password#token=abc',
        '/reset-password',
        '/verify-email#token=abc',
        '/dashboard/my-item',
      ])
        await test.step(path, async () => {
          if (path.startsWith('/dashboard'))
            await context.request.post('/api/auth/sign-up/email', {
              data: { name: 'Ines', email: newEmail(), password: PASSWORD },
            });
          if (path === '/register') await page.getByRole('main').locator('a[href="/register"]').click();
          else await page.goto(path);
          await expect(page).toHaveURL(path.split('#')[0] ?? '');
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          const submit = page.locator('form button[type=submit]');
          // Submits the empty form, because it is longest with error messages.
          if (!path.startsWith('/verify-email') && (await submit.count())) await submit.click();
          for (const width of widths) {
            await expectToFitAt(page, width);
            expect(await page.locator('body').innerText()).not.toMatch(
              /\b(?:login|register|identity|reset|verify|gate|refused|forgot)\.[a-z]|\{\w+\}/,
            );
            const target = 'main :is(button, input:not([type=checkbox]), label:has(input), a)';
            await expectLargeEnough(page.locator(`${target}:not([class*=frame], [class*=frame] *)`));
            await saveScreenshot(page, info, `${path.replaceAll(/\W+/g, '-')}-${width}`);
          }
          expect(await axeViolations(page)).toEqual([]);
        });
    },
  );

test(
  'logging out without a connection asks about an unsaved item, clears the browser, and ends the session later',
  anyScreen,
  async ({ page, context, browserErrors }) => {
    browserErrors.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|offline/);
    await page.request.post('/demo/sign-in');
    await page.goto('/dashboard/add-inventory-item');
    await page.getByLabel('Name', { exact: true }).fill('Unsaved Iris');
    const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft')));
    await expect.poll(drafts).toHaveLength(1);
    // The code of the menu has arrived.
    await page.getByRole('button', { name: /^Account:/ }).hover();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    const logOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).click();
    };

    await logOut();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('You have an unsaved item. Log out and discard it?');
    await question.getByRole('button', { name: 'Stay logged in' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Unsaved Iris');

    await logOut();
    await question.getByRole('button', { name: 'Discard and log out' }).click();
    await expect(page.getByText(/^You are logged out on this device/)).toBeVisible();
    expect(await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)])).toEqual([
      ['loggingOut'],
      [],
    ]);
    await context.setOffline(false);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  },
);

test(
  'a person downloads their data and removes their account; others then see a former member',
  anyScreen,
  async ({ page, request, browser, baseURL, browserErrors }) => {
    // The server refuses requests that the page sends at the moment of the removal.
    browserErrors.allow(/401 .*\/(?:events|alerts|my-items|insights|settings|api)/);
    const email = await createAccount(browser, baseURL);
    await page.goto('/login');
    await logIn(page, email);
    await expect(page).toHaveURL('/');
    const name = `Removed ${email}`;
    const description = 'An iris over wet ink and cedar, quiet as a late library.';
    const [{ img }] = await (await request.get('/inventory-items')).json();
    const item = { name, price: 10, quantity: '3', img, description, suplierName: 'Maison', email };
    expect((await page.request.post('/new-inventory-item', { data: item })).status()).toBe(201);

    await page.goto('/dashboard/settings');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    const file = await (await downloading).createReadStream();
    const data = JSON.parse(Buffer.concat(await file.toArray()).toString());
    expect([data.account.email, data.history[0].itemName]).toEqual([email, name]);

    await page.getByRole('button', { name: 'Remove my account' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove your account?' });
    await expect(question).toContainText(data.account.mark);
    await question.getByRole('button', { name: 'Remove my account' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await linkFor(request, email, /^Your account was removed/);

    await page.request.post('/demo/sign-in');
    await page.goto(`/dashboard/history?item=${data.history[0].itemId}`);
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText(
      new RegExp(`Former member.*${data.account.mark}`),
    );
  },
);

test(
  'a user adds a passkey and turns on two-step login, logs in with each, and confirms with the passkey',
  anyScreen,
  async ({ page, browser, baseURL, browserErrors }) => {
    const email = await createAccount(browser, baseURL);
    // Browsers have no passkeys at an IP address.
    browserErrors.allow(/403|third-party request: http:\/\/localhost:/);
    const site = (baseURL ?? '').replace('127.0.0.1', 'localhost');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const logOut = async () => {
      await page.request.post(`${site}/api/auth/sign-out`);
      await page.goto(`${site}/login?from=/dashboard/settings`);
    };
    await logOut();
    await logIn(page, email);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(toast(page, 'The passkey was added.')).toBeVisible();

    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByLabel('Code', { exact: true }).fill(totp(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = await dialog.getByRole('textbox', { name: 'Your recovery codes' }).inputValue();
    await dialog.getByRole('button', { name: 'I saved them' }).click();
    await expect(page.getByText('10 recovery codes left.')).toBeVisible();

    await logOut();
    await page.getByRole('checkbox', { name: 'Remember me' }).uncheck();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(page.getByText(/^Last used: /)).toBeVisible();
    expect(await isBriefLogin(page)).toBe(true);

    await logOut();
    await logIn(page, email);
    // The code of this half minute was used to turn it on; the next one is accepted already.
    await page.getByLabel('Code', { exact: true }).fill(totp(secret, Date.now() + 30_000));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByText('10 recovery codes left.')).toBeVisible();

    await logOut();
    await logIn(page, email);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code', { exact: true }).fill(codes.split('\n')[0] ?? '');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByText('9 recovery codes left.')).toBeVisible();

    const problem = { status: 403, json: { code: 'proof_needed' } };
    await page.route('**/delete-passkey', (route) => route.fulfill(problem), { times: 1 });
    const list = page.getByRole('list', { name: 'Passkeys' });
    await list.getByRole('button', { name: /^Remove / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(dialog.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(list).toBeHidden();
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  },
);

/** Returns the code that an authenticator app shows (RFC 6238). */
function totp(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const hash = createHmac('sha1', key).update(step).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
