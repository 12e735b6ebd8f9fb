import { createTransport } from 'nodemailer';

export type Email = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The page where such emails can be turned off, for the `List-Unsubscribe` header. */
  list?: { unsubscribe: string };
};

/** Sends emails. `send` queues an email and returns at once. Delivery and retries happen in the background. */
export type Mailer = {
  send(email: Email): void;
  /** Waits briefly for emails that are being sent, then closes the connections. */
  close(): Promise<void>;
};

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether the connection to the mail server must be encrypted. Links in emails give access to accounts, so a mail
 * server without TLS gets no email, unless it runs on this machine. `smtp://relay?requireTLS=false` says that the
 * network to the relay is safe.
 */
export function mustEncrypt(smtpUrl: string): boolean {
  return !LOOPBACK.has(new URL(smtpUrl).hostname);
}

type Log = { warn(facts: object, message: string): void; error(facts: object, message: string): void };
type Timing = { retryAfterMs: readonly number[]; closeWithinMs: number };

const MAX_WAITING = 1_000;
/** Whatever makes the server write to one address again and again must not fill the queue of everybody. */
const MAX_WAITING_FOR_ONE = 20;
const MAX_CONNECTIONS = 4;
const timing: Timing = { retryAfterMs: [1_000, 5_000, 30_000, 120_000, 600_000], closeWithinMs: 2_000 };

/**
 * Sends email over SMTP. The queue is in memory: a crash loses emails that were not sent yet, and users have to request
 * them again. Addresses and links are never logged.
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
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const timers = new Set<NodeJS.Timeout>();
  const sending = new Set<Promise<void>>();
  let waiting = 0;
  const waitingFor = new Map<string, number>();

  function send(email: Email): void {
    const forOne = waitingFor.get(email.to) ?? 0;
    if (waiting >= MAX_WAITING || forOne >= MAX_WAITING_FOR_ONE) {
      log.error({ waiting, forOne }, 'email refused: too many emails are waiting');
      return;
    }
    waiting++;
    waitingFor.set(email.to, forOne + 1);
    attempt(email, 0);
  }

  function settle({ to }: Email): void {
    waiting--;
    const left = (waitingFor.get(to) ?? 1) - 1;
    if (left > 0) waitingFor.set(to, left);
    else waitingFor.delete(to);
  }

  function attempt(email: Email, attempts: number): void {
    const sent = transport
      .sendMail({ from: mail.from, ...email, disableFileAccess: true, disableUrlAccess: true })
      .then(
        () => settle(email),
        (error: { code?: string; responseCode?: number }) => {
          const facts = {
            subject: email.subject,
            attempts: attempts + 1,
            code: error.code,
            answer: error.responseCode,
          };
          const delay = retryAfterMs[attempts];
          // 5xx is a permanent refusal.
          if (delay === undefined || (error.responseCode ?? 0) >= 500) {
            settle(email);
            return log.error(facts, 'email not sent, will not be retried');
          }
          log.warn(facts, 'email not sent yet, will be retried');
          const timer = setTimeout(() => {
            timers.delete(timer);
            attempt(email, attempts + 1);
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
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, closeWithinMs).unref());
      await Promise.race([Promise.all(sending), timeout]);
      if (waiting > 0) log.warn({ waiting }, 'emails lost at shutdown');
      for (const timer of timers) clearTimeout(timer);
      transport.close();
    },
  };
}

/** Sends one email at once, without retries, and returns whether the mail server accepted it. For programs. */
export async function sendNow(mail: { smtpUrl: string; from: string }, email: Email): Promise<boolean> {
  let failed = false;
  const log = (facts: object, message: string) => {
    failed = true;
    console.error(`${message}: ${JSON.stringify(facts)}`);
  };
  const mailer = smtpMailer(mail, { warn: log, error: log }, { retryAfterMs: [], closeWithinMs: SEND_WITHIN_MS });
  mailer.send(email);
  await mailer.close();
  return !failed;
}

const SEND_WITHIN_MS = 60_000;
