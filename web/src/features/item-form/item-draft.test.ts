import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  attemptKey,
  clearDraft,
  correctedItem,
  forgetAttempt,
  loadDraft,
  saveDraft,
  startCorrection,
} from './item-draft.ts';

const blank = {
  name: '',
  price: '',
  quantity: '',
  imageUrl: '',
  description: '',
  supplierName: '',
  email: 'a@b.example',
  sku: '',
  barcodes: '',
};
const iris = { ...blank, name: 'Iris', price: '12.50' };
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a draft', () => {
  test('is saved for the person who typed it, until it is cleared', () => {
    saveDraft('ines', iris, blank);
    expect(loadDraft('ines')).toEqual(iris);
    expect(loadDraft('otto')).toBeNull();
    clearDraft('ines');
    expect(loadDraft('ines')).toBeNull();
  });

  test('of an older version, which has the names of the API, is restored', () => {
    stored.set(
      'new-item-draft:ines',
      JSON.stringify({ texts: { name: 'Iris', img: '/a.png', suplierName: 'Verrière' } }),
    );
    expect(loadDraft('ines')).toEqual({ name: 'Iris', imageUrl: '/a.png', supplierName: 'Verrière' });
  });

  test('of a correction knows the refused item until it is cleared', () => {
    startCorrection('ines', 'refused', iris);
    saveDraft('ines', { ...iris, sku: 'IRIS-2' }, blank);
    attemptKey('ines', { ...iris, sku: 'IRIS-2' });
    expect(correctedItem('ines')).toBe('refused');
    clearDraft('ines');
    expect(correctedItem('ines')).toBeNull();
  });

  test('is not saved when nothing was typed', () => {
    saveDraft('ines', iris, blank);
    saveDraft('ines', blank, blank);
    expect(stored.size).toBe(0);
  });

  test.each(['', '{', 'null', '[]', '{"texts":7}', '{"texts":{"name":1,"_id":"x"}}'])(
    'is ignored when storage holds %j',
    (text) => {
      stored.set('new-item-draft:ines', text);
      expect(loadDraft('ines')).toBeNull();
      expect(attemptKey('ines', iris)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('lasts as long as the tab when the browser refuses storage', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    saveDraft('ines', iris, blank);
    expect(loadDraft('ines')).toEqual(iris);
    expect(attemptKey('ines', iris)).toBe(attemptKey('ines', iris));
    clearDraft('ines');
    expect(loadDraft('ines')).toBeNull();
  });
});

describe('the idempotency key of an attempt', () => {
  test('stays the same when storage is full, whether it holds an older draft or none', () => {
    const quotaExceeded = () => {
      throw new DOMException('Quota exceeded', 'QuotaExceededError');
    };
    saveDraft('otto', blank, { ...blank, name: 'x' });
    vi.spyOn(localStorage, 'setItem').mockImplementation(quotaExceeded);
    for (const owner of ['ines', 'otto']) {
      const key = attemptKey(owner, iris);
      expect(attemptKey(owner, iris)).toBe(key);
      saveDraft(owner, { ...iris, name: 'Iris B' }, blank);
      saveDraft(owner, iris, blank);
      expect(attemptKey(owner, iris)).toBe(key);
      expect(loadDraft(owner)).toEqual(iris);
      clearDraft(owner);
      expect(loadDraft(owner)).toBeNull();
      expect(attemptKey(owner, iris)).not.toBe(key);
      clearDraft(owner);
    }
  });

  test('stays the same for the same texts, even after editing and a reload', () => {
    const key = attemptKey('ines', iris);
    saveDraft('ines', { ...iris, name: 'Iris B' }, blank);
    saveDraft('ines', iris, blank);
    expect(attemptKey('ines', iris)).toBe(key);
    expect(loadDraft('ines')).toEqual(iris);
  });

  test('differs after a refusal, so that the same texts can be accepted later', () => {
    const key = attemptKey('ines', iris);
    forgetAttempt('ines');
    expect(loadDraft('ines')).toEqual(iris);
    expect(attemptKey('ines', iris)).not.toBe(key);
  });

  test('differs for other texts, for another person, and once the item is saved', () => {
    const key = attemptKey('ines', iris);
    const keys = [attemptKey('otto', iris), attemptKey('ines', { ...iris, price: '13' })];
    clearDraft('ines');
    keys.push(attemptKey('ines', iris));
    expect(new Set([key, ...keys]).size).toBe(4);
  });
});
