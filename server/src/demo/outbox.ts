import type { Email, Mailer } from '../mail/mailer.ts';

const MOST_KEPT = 200;

export type SentLetter = { to: string; subject: string; text: string; links: string[] };

/** The demo's mailer: letters stay here to be looked at. */
export function outbox() {
  const letters: SentLetter[] = [];

  function send({ to, subject, text }: Email): void {
    letters.unshift({ to, subject, text, links: text.match(/https?:\/\/\S+/g) ?? [] });
    letters.length = Math.min(letters.length, MOST_KEPT);
  }

  return { send, close: async () => {}, letters } satisfies Mailer & { letters: SentLetter[] };
}

export type Outbox = ReturnType<typeof outbox>;
