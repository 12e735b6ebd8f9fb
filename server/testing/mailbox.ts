import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  /** The address in `List-Unsubscribe`. */
  unsubscribe: string | undefined;
};

/**
 * Starts a real SMTP server that stores what it receives. `refuseNext` makes it refuse the next emails with the given
 * codes.
 */
export async function startMailbox() {
  const mails: ReceivedMail[] = [];
  let refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, _session, done) {
      const refusal = refusals.shift();
      if (refusal !== undefined) {
        stream.resume();
        stream.on('end', () => done(Object.assign(new Error('not now'), { responseCode: refusal })));
        return;
      }
      simpleParser(stream).then((mail) => {
        const text = mail.text ?? '';
        mails.push({
          to: mail.to?.text ?? '',
          from: mail.from?.text ?? '',
          subject: mail.subject ?? '',
          text,
          html: mail.html || '',
          links: text.match(/https?:\/\/\S+/g) ?? [],
          unsubscribe: mail.headers.get('list')?.unsubscribe?.url,
        });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  /** Waits until there is an email to this address about this subject, and returns the newest one. */
  async function mailTo(to: string, about = ''): Promise<ReceivedMail> {
    for (let tries = 0; tries < 250; tries++) {
      const found = mails.findLast((mail) => mail.to === to && mail.subject.includes(about));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no mail to ${to} about "${about}"`);
  }

  return {
    settings: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Perfume Warehouse <post@warehouse.example>' },
    mails,
    mailTo,
    refuseNext(...codes: number[]) {
      refusals = codes;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
