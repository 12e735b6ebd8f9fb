import { EMAIL_MAX } from '@perfume/domain/email';
import type { HouseRole } from '@perfume/domain/houses';
import { firstCharacters } from '@perfume/domain/text';
import type { Email } from './mailer.ts';

type Parts = {
  subject: string;
  greeting: string;
  body: string[];
  lists?: NamedList[];
  action?: { label: string; url: string };
  end: string;
  /** The page where these emails can be turned off. */
  settings?: { label: string; url: string };
};

const ROLE_NAMES: Record<HouseRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  keeper: 'a keeper',
  viewer: 'a viewer',
};

/** Somebody who becomes an owner of a house, is invited to be one, or is none any more. */
export type OwnersChange = { house: string; who: string; became: 'owner' | 'invited' | 'none' };

const OWNERS_CHANGED: Record<OwnersChange['became'], string> = {
  owner: 'is now an owner of',
  invited: 'was invited to be an owner of',
  none: 'is no longer an owner of',
};

type NamedList = { heading: string; lines: StockLine[]; more: number };
export type StockLine = { name: string; quantity: number; url: string };
/** The first lines of a list, and how many there are in total. */
export type StockList = { lines: StockLine[]; total: number };
export type StockNews = { out: StockList; low: StockList; recovered: StockList };
export type StockLinks = { lowStock: string; settings: string };

/*
 * Emails about an account go to addresses that may not be verified yet, so they contain nothing that a stranger has
 * typed, not even names. Emails about stock go to verified addresses only and contain item names, which `plain` makes
 * harmless.
 */
export const emails = {
  verify: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Verify your email address',
      greeting: 'Welcome to Perfume Warehouse',
      body: ['Someone signed up with this email address. Confirm that it is yours to start using your account.'],
      action: { label: 'Verify my address', url },
      end: 'The link works for one day. If you did not sign up, do nothing: the account will be deleted after two days.',
    }),

  reset: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Set a new password',
      greeting: 'Set a new password',
      body: ['Someone, hopefully you, asked to reset the password of your account.'],
      action: { label: 'Set a new password', url },
      end: `The link works once and expires after one hour. Setting a new password logs you out everywhere. ${NOT_ENDED} If this was not you, ignore this email: nothing has changed.`,
    }),

  alreadyYours: (to: string, url: string): Email =>
    compose(to, {
      subject: 'You already have an account',
      greeting: 'You already have an account',
      body: [
        'Someone, hopefully you, tried to sign up with this email address, but an account with this address already exists.',
        "Log in with your password, or choose 'Forgot Password?' to set a new one.",
      ],
      action: { label: 'Log in', url },
      end: 'If this was not you, ignore this email: nothing has changed.',
    }),

  invitation: (to: string, url: string): Email =>
    compose(to, {
      subject: 'You are invited',
      greeting: 'You are invited to Perfume Warehouse',
      body: ['Someone who runs this warehouse invited you. Sign up with the email address that received this email.'],
      action: { label: 'Sign up', url },
      end: 'The invitation works once and expires after 14 days. If you did not expect it, ignore this email.',
    }),

  accountDisabled: (to: string): Email =>
    compose(to, {
      subject: 'Your account was disabled',
      greeting: 'Your account was disabled',
      body: [
        'Whoever runs this warehouse disabled your account. You are logged out everywhere, and your API keys do not work.',
      ],
      end: 'Nothing was deleted. Ask whoever runs this warehouse to enable your account again.',
    }),

  accountEnabled: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Your account works again',
      greeting: 'Your account works again',
      body: ['Whoever runs this warehouse enabled your account again. Log in as before.'],
      action: { label: 'Log in', url },
      end: 'Your API keys work again too.',
    }),

  madeOwner: (to: string, house: string, url: string): Email =>
    compose(to, {
      subject: 'You own a house now',
      greeting: 'You own a house now',
      body: [
        `“${plain(house, MAX_NAME_IN_LIST)}” had no owner left, so whoever runs this warehouse made you its owner.`,
      ],
      action: { label: 'Open Perfume Warehouse', url },
      end: 'You can invite people, change roles and leave the house once it has another owner.',
    }),

  /** Goes to every owner, because whoever changed it may only have found somebody's session open. */
  ownersChanged: (to: string, { house, who, became }: OwnersChange, url: string): Email =>
    compose(to, {
      subject: 'The owners of a house have changed',
      greeting: 'The owners of a house have changed',
      body: [
        `${plain(who, EMAIL_MAX)} ${OWNERS_CHANGED[became]} “${plain(house, MAX_NAME_IN_LIST)}” at Perfume Warehouse.`,
      ],
      action: { label: 'Open the settings of the house', url },
      end: 'An owner can undo this in the settings. If it should not have happened, change your password too.',
    }),

  /**
   * The address may be anybody's, but whoever invites has a verified account and a limited number of invitations. Without
   * the names of the house and of the person, nobody would know whether to trust the invitation.
   */
  houseInvitation: (
    to: string,
    { house, by, role }: { house: string; by: string; role: HouseRole },
    url: string,
  ): Email =>
    compose(to, {
      subject: 'You are invited to a house',
      greeting: 'You are invited',
      body: [
        `${plain(by, MAX_NAME_IN_LIST)} invites you to work in “${plain(house, MAX_NAME_IN_LIST)}” at Perfume Warehouse as ${ROLE_NAMES[role]}.`,
      ],
      action: { label: 'Open the invitation', url },
      end: 'The link works once and expires after seven days. If you do not know this person, ignore this email.',
    }),

  passwordChanged: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Your password was changed',
      greeting: 'Your password was changed',
      body: ['Your account has a new password, and all other devices were logged out.', NOT_ENDED],
      action: { label: 'Log in', url },
      end: "If this was not you, set a new password now: choose 'Forgot Password?' on the login page.",
    }),

  /** Keys are made by people with a verified address only, so the email can contain the name of the key. */
  apiKeyCreated: (to: string, name: string, url: string): Email =>
    compose(to, {
      subject: 'A new API key was made',
      greeting: 'A new API key was made',
      body: [
        `The API key “${plain(name, MAX_NAME_IN_LIST)}” was made for your account. Programs can use it in your name.`,
      ],
      action: { label: 'See your API keys', url },
      end: 'If this was not you, revoke the key and set a new password now.',
    }),

  webhookOff: (to: string, host: string, url: string): Email =>
    compose(to, {
      subject: 'A webhook was switched off',
      greeting: 'A webhook was switched off',
      body: [
        `The webhook to ${plain(host, MAX_NAME_IN_LIST)} was switched off, because what was sent to it did not arrive.`,
        'The list of its deliveries shows what was tried and why it failed. What happens while it is off is not sent.',
      ],
      action: { label: 'See your webhooks', url },
      end: 'Once the receiver works again, switch the webhook on there.',
    }),

  accountRemoved: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Your account was removed',
      greeting: 'Your account was removed',
      body: [
        'Your account and everything needed to log in are gone, and you are logged out everywhere.',
        'Your earlier changes stay in the history of the warehouse, without your name. Items that have this address as their contact keep it until somebody edits them.',
      ],
      action: { label: 'Sign up again', url },
      end: 'If this was not you, tell the people who run the warehouse. You will get no more emails for this account.',
    }),

  providerLinked: (to: string, provider: string, url: string): Email =>
    compose(to, {
      subject: `You can now log in with ${provider}`,
      greeting: `You can now log in with ${provider}`,
      body: [`Someone, hopefully you, logged in to your account with ${provider} for the first time.`],
      action: { label: 'Log in', url },
      end: `If this was not you, someone else uses your account at ${provider}. Secure it there first, because a login with ${provider} would link it again. Then log in here and unlink ${provider} in the settings, which logs out all other devices.`,
    }),

  providerUnlinked: (to: string, provider: string, url: string): Email =>
    compose(to, {
      subject: `You can no longer log in with ${provider}`,
      greeting: `You can no longer log in with ${provider}`,
      body: [
        `Your account at ${provider} was unlinked from your account here, and all other devices were logged out. A new login with ${provider} and the same email address links it again.`,
      ],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  newBrowser: (to: string, { browser, at }: { browser: string | null; at: number }, url: string): Email =>
    compose(to, {
      subject: 'New login to your account',
      greeting: 'New login to your account',
      body: [
        'Someone, hopefully you, logged in to your account from a browser that we do not know.',
        `Browser: ${browser ?? 'unknown'}`,
        `Time: ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      ],
      action: { label: 'Log in', url },
      end: "If this was you, you need not do anything. If not, set a new password now: choose 'Forgot Password?' on the login page. That logs out all devices.",
    }),

  twoStepOn: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Two-step login was turned on',
      greeting: 'Two-step login was turned on',
      body: ['From now on, a login with your password also asks for a code of your authenticator app.'],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  twoStepOff: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Two-step login was turned off',
      greeting: 'Two-step login was turned off',
      body: ['From now on, your password alone is enough to log in.'],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  newRecoveryCodes: (to: string, url: string): Email =>
    compose(to, {
      subject: 'New recovery codes were made',
      greeting: 'New recovery codes were made',
      body: [
        'Each of the ten codes replaces the code of your authenticator app once. The earlier ones no longer work.',
      ],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  recoveryCodeUsed: (to: string, left: number, url: string): Email =>
    compose(to, {
      subject: 'A recovery code was used',
      greeting: 'A recovery code of your account was used',
      body: [`Recovery codes left: ${left}.`],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  wrongCodes: (to: string, url: string): Email =>
    compose(to, {
      subject: 'Somebody may know your password',
      greeting: 'Somebody may know your password',
      body: ['Your password was entered, and then several wrong codes. Nobody logged in with them.'],
      action: { label: 'Log in', url },
      end: "If this was you, you need not do anything. If not, set a new password now: choose 'Forgot Password?' on the login page.",
    }),

  passkeyAdded: (to: string, url: string): Email =>
    compose(to, {
      subject: 'A passkey was added',
      greeting: 'A passkey was added to your account',
      body: ['Whoever holds this passkey can log in to your account.'],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  passkeyRemoved: (to: string, url: string): Email =>
    compose(to, {
      subject: 'A passkey was removed',
      greeting: 'A passkey was removed from your account',
      body: ['This passkey no longer logs in to your account, and all other devices were logged out.'],
      action: { label: 'Open your settings', url },
      end: NOT_YOU,
    }),

  /**
   * Sent when items have just crossed their reorder point, or later if there were too many emails. `house` is named if it
   * is not null.
   */
  stockAlert: (
    to: string,
    news: StockNews,
    links: StockLinks,
    { isCollected, house }: { isCollected: boolean; house: string | null },
  ): Email => {
    const title = inHouse(house, alertTitle(news));
    return compose(to, {
      subject: title,
      greeting: title,
      body: isCollected ? ['There were many alerts, so this email collects those since the last one.'] : [],
      lists: listsOf(news),
      action: { label: 'View low stock', url: links.lowStock },
      end: 'You get this email because you chose to be alerted immediately.',
      settings: { label: 'Change your alert settings', url: links.settings },
    });
  },

  /** The daily email about items that are low or out of stock, and items that are back in stock. */
  stockDigest: (to: string, news: StockNews, links: StockLinks, house: string | null): Email =>
    compose(to, {
      subject: inHouse(house, digestTitle(news)),
      greeting: inHouse(house, 'Your stock this morning'),
      body: ['These items are at or below their reorder point, or have come back in stock since the last email.'],
      lists: listsOf(news),
      action: { label: 'View low stock', url: links.lowStock },
      end: 'We send this email at most once a day, and only when there is something to report.',
      settings: { label: 'Change your alert settings', url: links.settings },
    }),

  /** Sent when a saved view was empty and is not any more. `houseName` is named if it is not null. */
  viewFilled: (
    to: string,
    { name, houseName }: { name: string; houseName: string | null },
    { lines, total }: StockList,
    links: { view: string; saved: string },
  ): Email => {
    const title = inHouse(houseName, `${total} ${items(total)} in “${plain(name, MAX_NAME_IN_SUBJECT)}”`);
    return compose(to, {
      subject: title,
      greeting: title,
      body: ['This saved view was empty and is not any more.'],
      lists: [{ heading: 'Items', lines, more: total - lines.length }],
      action: { label: 'Open the view', url: links.view },
      end: 'You chose to get this email. The next one comes when the view has been empty again.',
      settings: { label: 'Turn it off in your saved views', url: links.saved },
    });
  },
};

function inHouse(house: string | null, title: string): string {
  return house === null ? title : `${plain(house, MAX_NAME_IN_SUBJECT)}: ${title}`;
}

function alertTitle({ out, low, recovered }: StockNews): string {
  const toReorder = out.total + low.total;
  const [only] = toReorder + recovered.total === 1 ? [...out.lines, ...low.lines, ...recovered.lines] : [];
  if (!only) return toReorder > 0 ? `${toReorder} ${items(toReorder)} to reorder` : backInStock(recovered.total);
  const name = plain(only.name, MAX_NAME_IN_SUBJECT);
  if (out.total > 0) return `${name} is out of stock`;
  return low.total > 0
    ? `${name} is low on stock: ${only.quantity} left`
    : `${name} is back in stock: ${only.quantity} on hand`;
}

function digestTitle({ out, low, recovered }: StockNews): string {
  if (out.total + low.total === 0) return backInStock(recovered.total);
  return [out.total > 0 && `${out.total} out of stock`, low.total > 0 && `${low.total} low on stock`]
    .filter(Boolean)
    .join(', ');
}

function backInStock(count: number): string {
  return `${count} ${items(count)} back in stock`;
}

function items(count: number): string {
  return count === 1 ? 'item' : 'items';
}

function listsOf({ out, low, recovered }: StockNews): NamedList[] {
  const named = [
    { heading: 'Out of stock', ...out },
    { heading: 'Low stock', ...low },
    { heading: 'Back in stock', ...recovered },
  ];
  return named
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines, total }) => ({ heading, lines, more: total - lines.length }));
}

const NOT_ENDED =
  'A new password does not end API keys, passkeys, linked providers or two-step login. You can remove API keys and passkeys and unlink providers in the settings.';
const NOT_YOU =
  "If this was not you, set a new password now: choose 'Forgot Password?' on the login page. Then check your settings.";
const MAX_NAME_IN_SUBJECT = 60;
const MAX_NAME_IN_LIST = 100;

/**
 * Makes typed text safe to show: one line, limited in length, and without anything an email program would turn into a
 * link. An invisible word joiner between the parts of a URL or address prevents that.
 */
function plain(typed: string, maxLength: number): string {
  const line = typed.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const short = firstCharacters(line, maxLength);
  return `${short}${short.length < line.length ? '…' : ''}`.replace(/[.:/@](?=\S)/g, '$&\u2060');
}

function compose(to: string, parts: Parts): Email {
  const { subject, greeting, body, lists = [], action, end, settings } = parts;
  const linkText = (one: Parts['action']) => (one ? [`${one.label}:\n${one.url}`] : []);
  const text = [greeting, ...body, ...lists.map(listText), ...linkText(action), end, ...linkText(settings), SIGNATURE];
  return {
    to,
    subject: `${subject} · Perfume Warehouse`,
    text: `${text.join('\n\n')}\n`,
    html: page(parts),
    ...(settings && { list: { unsubscribe: settings.url } }),
  };
}

function listText({ heading, lines, more }: NamedList): string {
  const rows = lines.map(
    ({ name, quantity, url }) => `- ${plain(name, MAX_NAME_IN_LIST)}: ${quantity} on hand\n  ${url}`,
  );
  return [heading, ...rows, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

const SIGNATURE = 'Perfume Warehouse\nThe stock ledger for perfume dealers and suppliers';

const SERIF = "font-family:Fraunces,Georgia,'Times New Roman',serif";
const SANS = "font-family:'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";

function page({ greeting, body, lists = [], action, end, settings }: Parts): string {
  const paragraphs = body.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('');
  const button = action
    ? `<p style="margin:28px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;background:#2b2118;color:#fbf7f0;text-decoration:none;padding:13px 26px;border-radius:999px;font-weight:600">${escapeHtml(action.label)}</a></p>`
    : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(greeting)}</title></head>
<body style="margin:0;background:#f4eee4"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#fffdf9;border:1px solid #e6dac8;border-radius:14px"><tr><td style="padding:36px 32px;color:#2b2118;${SANS};font-size:16px;line-height:1.6">
<p style="margin:0 0 24px;${SERIF};font-size:15px;letter-spacing:.04em;color:#8a5a2b">Perfume Warehouse</p>
<h1 dir="auto" style="margin:0 0 16px;${SERIF};font-weight:500;font-size:26px;line-height:1.25">${escapeHtml(greeting)}</h1>
${paragraphs}${lists.map(listHtml).join('')}${button}<p style="margin:24px 0 0;font-size:14px;color:#6b5d4f">${escapeHtml(end)}${settings ? ` <a href="${escapeHtml(settings.url)}" style="color:#5a2748">${escapeHtml(settings.label)}</a>` : ''}</p>
</td></tr></table></td></tr></table></body></html>`;
}

function listHtml({ heading, lines, more }: NamedList): string {
  const cell = 'padding:9px 0;border-top:1px solid #e6dac8';
  const rows = lines.map(
    ({ name, quantity, url }) =>
      `<tr><td style="${cell}"><a href="${escapeHtml(url)}" style="color:#5a2748;text-decoration:none;font-weight:600"><bdi>${escapeHtml(plain(name, MAX_NAME_IN_LIST))}</bdi></a></td><td align="right" style="${cell};padding-left:16px;white-space:nowrap;font-variant-numeric:tabular-nums">${quantity} on hand</td></tr>`,
  );
  const rest = more > 0 ? `<tr><td colspan="2" style="${cell};color:#6b5d4f">and ${more} more</td></tr>` : '';
  return `<h2 style="margin:24px 0 6px;font-size:14px;letter-spacing:.02em;color:#8a5a2b;${SANS}">${escapeHtml(heading)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="${SANS};font-size:16px;line-height:1.45">${rows.join('')}${rest}</table>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
