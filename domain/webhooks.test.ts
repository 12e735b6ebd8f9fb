import { expect, test } from 'vitest';
import { checkWebhookUrl, pauseAfter, WEBHOOK_URL_MAX } from './webhooks.ts';

test('an address is http or https, without a user and a fragment', () => {
  expect(checkWebhookUrl(' https://Hooks.example/in?x=1 ')).toEqual({
    ok: true,
    value: 'https://hooks.example/in?x=1',
  });
  expect(checkWebhookUrl('http://0x7f.1:81/')).toEqual({ ok: true, value: 'http://127.0.0.1:81/' });
  for (const url of [
    'ftp://hooks.example/',
    'https:hooks.example',
    'https://',
    'https://user@hooks.example/',
    'https://:secret@hooks.example/',
    'https://hooks.example/#in',
    'https://hooks.example\\@10.0.0.1/',
    'javascript:alert(1)',
    'hooks.example',
  ])
    expect([url, checkWebhookUrl(url)]).toEqual([url, { ok: false, error: { code: 'not_a_web_address' } }]);
  expect(checkWebhookUrl(`https://hooks.example/${'x'.repeat(WEBHOOK_URL_MAX)}`)).toMatchObject({ ok: false });
  expect(checkWebhookUrl(1)).toMatchObject({ ok: false });
});

test('attempts are repeated after seconds, then after hours, for about a day', () => {
  const pauses = Array.from({ length: 20 }, (_, n) => pauseAfter(n + 1, 0.5)).filter((pause) => pause !== null);
  expect(pauses[0]).toBe(5_000);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(25);
  expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([4_000, 6_000]);
});
