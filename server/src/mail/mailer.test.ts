import { afterAll, beforeEach, expect, test } from 'vitest';
import { startMailbox } from '../../testing/mailbox.ts';
import { emails } from './emails.ts';
import { mustEncrypt, smtpMailer } from './mailer.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const log: { level: string; facts: object; message: string }[] = [];
const logger = {
  warn: (facts: object, message: string) => void log.push({ level: 'warn', facts, message }),
  error: (facts: object, message: string) => void log.push({ level: 'error', facts, message }),
};
const timing = { retryAfterMs: [10, 10], closeWithinMs: 500 };
beforeEach(() => {
  log.length = 0;
});

test('delivers an email completely, as text and as HTML', async () => {
  const mailer = smtpMailer(mailbox.settings, logger, timing);
  const url = 'https://stock.example.com/x?a=1&returnTo=%2F';
  mailer.send(emails.verify('ann@house.example', url));
  const mail = await mailbox.mailTo('ann@house.example');
  expect(mail).toMatchObject({ subject: 'Verify your email address · Perfume Warehouse', links: [url] });
  expect(mail.html).toContain('href="https://stock.example.com/x?a=1&#38;returnTo=%2F"');
  await mailer.close();
});

test('retries an email that is refused temporarily', async () => {
  const mailer = smtpMailer(mailbox.settings, logger, timing);
  mailbox.refuseNext(451, 421);
  mailer.send(emails.reset('ben@house.example', 'https://stock.example.com/secret-link'));
  await mailbox.mailTo('ben@house.example');
  expect(log.map(({ message }) => message)).toEqual([
    'email not sent yet, will be retried',
    'email not sent yet, will be retried',
  ]);
  expect(JSON.stringify(log)).not.toMatch(/ben@|secret-link/);
  await mailer.close();
});

test.each([
  ['permanently is not retried', [550], 1],
  ['repeatedly is given up', [451, 451, 451, 451], 3],
])('an email that is refused %s', async (_, codes, tries) => {
  const mailer = smtpMailer(mailbox.settings, logger, timing);
  mailbox.refuseNext(...codes);
  mailer.send(emails.reset('cid@house.example', 'https://stock.example.com/x'));
  await expect.poll(() => log.at(-1)?.message).toBe('email not sent, will not be retried');
  expect(log).toHaveLength(tries);
  mailbox.refuseNext();
  await mailer.close();
});

test('an unreachable mail server blocks nothing, and a full queue is logged', async () => {
  const mailer = smtpMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@b.example' }, logger, {
    retryAfterMs: [60_000],
    closeWithinMs: 10,
  });
  const send = (to: string) => mailer.send(emails.reset(to, 'https://stock.example.com/x'));
  for (let i = 0; i < 1_000; i++) send(`dan-${i}@house.example`);
  expect(log).toEqual([]);
  send('eve@house.example');
  expect(log.at(-1)?.message).toContain('too many emails');
  await mailer.close();
});

test('many emails to one address leave room for those to others', async () => {
  const mailer = smtpMailer(mailbox.settings, logger, timing);
  for (let i = 0; i < 2_000; i++) mailer.send(emails.reset('fay@house.example', 'https://stock.example.com/x'));
  expect(log).toHaveLength(1_980);
  mailer.send(emails.verify('gus@house.example', 'https://stock.example.com/y'));
  await mailbox.mailTo('gus@house.example');
  log.length = 0;
  mailer.send(emails.verify('fay@house.example', 'https://stock.example.com/z'));
  expect(log).toEqual([]);
  await mailer.close();
});

test.each([
  ['smtp://user:secret@mail.example.com:587', true],
  ['smtp://192.0.2.1', true],
  ['smtp://localhost.example.com', true],
  ['smtp://localhost:25', false],
  ['smtp://127.0.0.1:1025', false],
  ['smtp://[::1]:1025', false],
])('an email to %s needs TLS: %s', (url, needed) => {
  expect(mustEncrypt(url)).toBe(needed);
});

test('sends no email that needs TLS to a mail server without it', async () => {
  const before = mailbox.mails.length;
  const { smtpUrl, from } = mailbox.settings;
  // An address of this machine that is not recognised as loopback.
  const elsewhere = smtpUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]');
  const mailer = smtpMailer({ smtpUrl: elsewhere, from }, logger, { ...timing, retryAfterMs: [] });
  mailer.send(emails.reset('eve@house.example', 'https://stock.example.com/x'));
  // The log may still get lines about emails of the previous test.
  await expect.poll(() => log.map(({ message }) => message)).toContain('email not sent, will not be retried');
  expect(mailbox.mails).toHaveLength(before);
  await mailer.close();

  const unencrypted = smtpMailer({ smtpUrl: `${elsewhere}?requireTLS=false`, from }, logger, timing);
  unencrypted.send(emails.reset('eve@house.example', 'https://stock.example.com/x'));
  await mailbox.mailTo('eve@house.example');
  await unencrypted.close();
});
