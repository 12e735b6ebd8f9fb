import type { Email, Mailer } from '../mail/mailer.ts';

const MAX_KEPT = 200;

export type SentEmail = { to: string; subject: string; text: string; links: string[] };

/** The demo's mailer: it keeps sent emails in memory for the outbox page. */
export function outbox() {
  const emails: SentEmail[] = [];

  function send({ to, subject, text }: Email): void {
    emails.unshift({ to, subject, text, links: text.match(/https?:\/\/\S+/g) ?? [] });
    emails.length = Math.min(emails.length, MAX_KEPT);
  }

  return { send, close: async () => {}, emails } satisfies Mailer & { emails: SentEmail[] };
}

export type Outbox = ReturnType<typeof outbox>;
