import { createTransport } from 'nodemailer';

export type Email = { to: string; subject: string; text: string; html: string };

/** Takes a letter and answers at once. What becomes of it is the post's business. */
export type Mailer = {
  send(letter: Email): void;
  /** Gives what is waiting a moment to leave, then lets go. */
  close(): Promise<void>;
};

const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Links in letters open accounts, so they do not travel in the clear: a mail server that offers no TLS gets none, unless
 * it is on this machine. `smtp://relay?requireTLS=false` says that the way there is safe.
 */
export function mustEncrypt(smtpUrl: string): boolean {
  return !THIS_MACHINE.has(new URL(smtpUrl).hostname);
}

type Log = { warn(facts: object, message: string): void; error(facts: object, message: string): void };
type Timing = { retryAfterMs: readonly number[]; closeWithinMs: number };

const MOST_WAITING = 1_000;
const AT_ONCE = 4;
const timing: Timing = { retryAfterMs: [1_000, 5_000, 30_000, 120_000, 600_000], closeWithinMs: 2_000 };

/**
 * Mail over SMTP. Letters wait in memory: a crash loses those not yet handed over, and the person asks for another.
 * Addresses and links stay out of the log.
 */
export function smtpMailer(
  mail: { smtpUrl: string; from: string },
  log: Log,
  { retryAfterMs, closeWithinMs } = timing,
): Mailer {
  const transport = createTransport({
    url: mail.smtpUrl,
    pool: true,
    requireTLS: mustEncrypt(mail.smtpUrl),
    maxConnections: AT_ONCE,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const timers = new Set<NodeJS.Timeout>();
  const sending = new Set<Promise<void>>();
  let waiting = 0;

  function send(letter: Email): void {
    if (waiting >= MOST_WAITING) {
      log.error({ waiting }, 'mail refused: too many letters are waiting');
      return;
    }
    waiting++;
    attempt(letter, 0);
  }

  function attempt(letter: Email, tries: number): void {
    const sent = transport
      .sendMail({ from: mail.from, ...letter, disableFileAccess: true, disableUrlAccess: true })
      .then(
        () => {
          waiting--;
        },
        (error: { code?: string; responseCode?: number }) => {
          const facts = { subject: letter.subject, tries: tries + 1, code: error.code, answer: error.responseCode };
          const delay = retryAfterMs[tries];
          // 5xx: the other side has decided.
          if (delay === undefined || (error.responseCode ?? 0) >= 500) {
            waiting--;
            return log.error(facts, 'mail given up');
          }
          log.warn(facts, 'mail not sent yet');
          const timer = setTimeout(() => {
            timers.delete(timer);
            attempt(letter, tries + 1);
          }, delay);
          timer.unref();
          timers.add(timer);
        },
      );
    sending.add(sent);
    sent.finally(() => sending.delete(sent));
  }

  return {
    send,
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref());
      await Promise.race([Promise.all(sending), late]);
      if (waiting > 0) log.warn({ waiting }, 'letters lost at closing');
      for (const timer of timers) clearTimeout(timer);
      transport.close();
    },
  };
}
