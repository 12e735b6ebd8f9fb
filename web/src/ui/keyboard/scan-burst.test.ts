import { describe, expect, test } from 'vitest';
import { addToBurst, type ScannedKey, scannedCode } from './scan-burst.ts';

type Press = Omit<ScannedKey, 'timeStamp'>;
const press = (key: string, code = '', shiftKey = false): Press => ({ key, code, shiftKey });
const presses = (text: string) => [...text].map((key) => press(key));

/** Returns what is read when the keys and then Enter arrive with these pauses. */
function read(keys: readonly Press[], pause: number, pauseBeforeEnter = pause): string | null {
  let burst: readonly ScannedKey[] = [];
  let timeStamp = 1_000;
  for (const key of keys) {
    burst = addToBurst(burst, { ...key, timeStamp });
    timeStamp += pause;
  }
  return scannedCode(burst, { ...press('Enter', 'Enter'), timeStamp: timeStamp - pause + pauseBeforeEnter });
}

describe('a hand scanner', () => {
  test('is known by its speed', () => {
    expect(read(presses('4006381333931'), 15)).toBe('4006381333931');
    expect(read(presses('PW-Oud 50/ml'), 55)).toBe('PW-Oud 50/ml');
  });

  test('is not a person who types fast', () => {
    expect(read(presses('4006381333931'), 90)).toBeNull();
    expect(read(presses('oud'), 5)).toBeNull();
    expect(read(presses('rose'), 15, 200)).toBeNull();
  });

  test('is not a program that types a sentence', () => {
    expect(read(presses('4'.repeat(80)), 15)).toBe('4'.repeat(80));
    expect(read(presses('4'.repeat(81)), 15)).toBeNull();
  });

  test('begins anew after a pause, so that what a person typed before is not part of the code', () => {
    const slow = { ...press('r'), timeStamp: 0 };
    const burst = presses('96385074').reduce(
      (before, key, i) => addToBurst(before, { ...key, timeStamp: 500 + i * 10 }),
      addToBurst([], slow),
    );
    expect(scannedCode(burst, { ...press('Tab', 'Tab'), timeStamp: 590 })).toBe('96385074');
  });

  test('is read by the position of its keys when the device has an Arabic or a French layout', () => {
    const arabic = [press('ش', 'KeyA'), press('لا', 'KeyB', true), press('١', 'Digit1'), press('-', 'Minus')];
    expect(read(arabic, 10)).toBe('aB1-');
    const french = '&é"\'(-è_ç'.split('').map((key, i) => press(key, `Digit${i + 1}`));
    expect(read([...french, press('à', 'Digit0')], 10)).toBe('1234567890');
    expect(read([press('&', 'Digit1'), press("'", 'Digit4'), press('(', 'Digit5'), press('-', 'Digit6')], 10)).toBe(
      '1456',
    );
  });

  test('with the same layout as the device is taken at its word', () => {
    const french = [
      press('Q', 'KeyA', true),
      press('-', 'Digit6'),
      press('1', 'Digit1', true),
      press('2', 'Digit2', true),
    ];
    expect(read(french, 10)).toBe('Q-12');
  });
});
