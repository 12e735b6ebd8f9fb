import type { DemoHouse } from './demo-houses.ts';
import type { SentEmail } from './outbox.ts';

export function outboxPage(emails: SentEmail[]): string {
  const list = emails.map(
    ({ to, subject, text, links }) => `<article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}</p>
<pre>${escapeHtml(text)}</pre>${links.map((link) => `<p><a class="button" href="${escapeHtml(pathOf(link))}">Open the link</a></p>`).join('')}</article>`,
  );
  return page(
    'Outbox',
    `<h1>Sent emails</h1><p>In the demo, emails stay on this machine. Newest first.</p>${
      list.join('') || '<p>No emails yet.</p>'
    }`,
  );
}

/** With `ACCESS=houses`: who can log in. */
export function peoplePage(houses: DemoHouse[], password: string): string {
  const list = houses.map(({ name, people }) => {
    const rows = people.map(
      ({ name, email, role }) => `<li><strong>${escapeHtml(name)}</strong>, ${role}: ${escapeHtml(email)}</li>`,
    );
    return `<article><h2>${escapeHtml(name)}</h2><ul>${rows.join('')}</ul></article>`;
  });
  return page(
    'People of the demo',
    `<h1>People of the demo</h1><p>Each can log in with the password <strong>${escapeHtml(password)}</strong>.</p>
${list.join('')}<p><a class="button" href="/login">Log in</a></p>`,
  );
}

export type Person = { name: string; email: string; verified: boolean };

const people: Person[] = [
  { name: 'Ines Moreau', email: 'ines.moreau@example.com', verified: true },
  { name: 'Tomás Ferreira', email: 'tomas.ferreira@example.com', verified: true },
  { name: 'Aiko Tanaka', email: 'aiko.tanaka@example.com', verified: false },
];

export function choosePage(provider: string, query: Record<string, string>): string {
  const carried = Object.entries(query)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const form = (inner: string) =>
    `<form method="get" action="/demo/oauth/${provider}/choose">${carried}${inner}</form>`;
  const known = people.map(({ name, email, verified }) =>
    form(
      `<input type="hidden" name="name" value="${escapeHtml(name)}"><input type="hidden" name="email" value="${email}">${
        verified ? '<input type="hidden" name="verified" value="on">' : ''
      }<button class="person"><strong>${escapeHtml(name)}</strong><span>${email}${verified ? '' : ' (not verified)'}</span></button>`,
    ),
  );
  const title = provider === 'github' ? 'GitHub' : 'Google';
  return page(
    `Log in with ${title} (demo)`,
    `<h1>Choose who to log in as</h1>
<p>In the demo, this page replaces ${title}. Nothing leaves this machine.</p>${known.join('')}
<h2>Someone else</h2>${form(`<label>Name <input name="name" required maxlength="100" autocomplete="off"></label>
<label>Email <input name="email" type="email" required maxlength="254" autocomplete="off"></label>
<label class="check"><input type="checkbox" name="verified" checked> ${title} has verified this address</label>
<button class="button">Continue</button>`)}
${form('<button class="quiet" name="cancel" value="yes">Cancel</button>')}`,
  );
}

export function refusedPage(reason: string): string {
  return page(
    'Login failed',
    `<h1>Could not log you in</h1><p>${escapeHtml(reason)}</p><p><a href="/login">Back to login</a></p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · Perfume Warehouse</title><link rel="stylesheet" href="/demo/demo.css"></head>
<body><main>${body}</main></body></html>`;
}

/** Makes a link relative, so that it keeps the host name that the browser uses, such as localhost or 127.0.0.1. */
function pathOf(link: string): string {
  if (!URL.canParse(link)) return '/';
  const { pathname, search, hash } = new URL(link);
  return `${pathname}${search}${hash}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
