import type { Letter } from './post.ts';

type Words = {
  subject: string;
  greeting: string;
  body: string[];
  action?: { label: string; url: string };
  end: string;
};

/*
 * What we write to people. A letter goes to an address that nobody may have proven yet, so it carries nothing that a
 * stranger typed: no names.
 */
export const letters = {
  verify: (to: string, url: string): Letter =>
    compose(to, {
      subject: 'Verify your e-mail address',
      greeting: 'Welcome to Perfume Warehouse',
      body: ['An account was opened with this address. Confirm that it is yours, and the warehouse is open to you.'],
      action: { label: 'Verify my address', url },
      end: 'The link works for one day. If you did not open an account, do not follow it: without it the account is removed after two days.',
    }),

  reset: (to: string, url: string): Letter =>
    compose(to, {
      subject: 'Set a new password',
      greeting: 'A new password',
      body: ['Someone, hopefully you, asked to set a new password for your account.'],
      action: { label: 'Set a new password', url },
      end: 'The link works once, within an hour, and signs you out everywhere. If it was not you, ignore this mail: nothing has changed.',
    }),

  alreadyYours: (to: string, url: string): Letter =>
    compose(to, {
      subject: 'You have an account already',
      greeting: 'You have an account already',
      body: [
        'Someone, hopefully you, tried to open an account with this address, but there is one already.',
        "Sign in with your password, or choose 'Forgot Password?' to set a new one.",
      ],
      action: { label: 'Sign in', url },
      end: 'If it was not you, there is nothing to do: nothing has changed.',
    }),

  passwordChanged: (to: string, url: string): Letter =>
    compose(to, {
      subject: 'Your password was changed',
      greeting: 'Your password was changed',
      body: ['The password of your account was changed, and all other sign-ins were ended.'],
      action: { label: 'Sign in', url },
      end: "If it was not you, set a new password at once: choose 'Forgot Password?' on the sign-in page.",
    }),
};

function compose(to: string, { subject, greeting, body, action, end }: Words): Letter {
  const text = [greeting, ...body, ...(action ? [`${action.label}:\n${action.url}`] : []), end, SIGNATURE];
  return {
    to,
    subject: `${subject} · Perfume Warehouse`,
    text: `${text.join('\n\n')}\n`,
    html: page(greeting, body, action, end),
  };
}

const SIGNATURE = 'Perfume Warehouse\nThe stock ledger of perfume dealers and suppliers';

const SERIF = "font-family:Fraunces,Georgia,'Times New Roman',serif";
const SANS = "font-family:'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif";

function page(greeting: string, body: string[], action: Words['action'], end: string): string {
  const paragraphs = body.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('');
  const button = action
    ? `<p style="margin:28px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;background:#2b2118;color:#fbf7f0;text-decoration:none;padding:13px 26px;border-radius:999px;font-weight:600">${escapeHtml(action.label)}</a></p>`
    : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(greeting)}</title></head>
<body style="margin:0;background:#f4eee4"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#fffdf9;border:1px solid #e6dac8;border-radius:14px"><tr><td style="padding:36px 32px;color:#2b2118;${SANS};font-size:16px;line-height:1.6">
<p style="margin:0 0 24px;${SERIF};font-size:15px;letter-spacing:.04em;color:#8a5a2b">Perfume Warehouse</p>
<h1 style="margin:0 0 16px;${SERIF};font-weight:500;font-size:26px;line-height:1.25">${escapeHtml(greeting)}</h1>
${paragraphs}${button}<p style="margin:24px 0 0;font-size:14px;color:#6b5d4f">${escapeHtml(end)}</p>
</td></tr></table></td></tr></table></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
