import {
  labelsPerPage,
  OWN_SIZE,
  oneLabel,
  type Sheet,
  type SheetName,
  type Size,
  sheets,
} from '@perfume/domain/labels';
import { useState } from 'react';
import { readPreference, savePreference } from '../../ui/preference.ts';

export const parts = ['name', 'price', 'code'] as const;
/** A text that may be printed on a label. */
type Part = (typeof parts)[number];

export const symbols = ['barcode', 'qr'] as const;

/** How labels are printed. */
export type LabelChoices = {
  sheet: SheetName | 'own';
  /** The size of a label of one's own. */
  own: Size;
  symbol: (typeof symbols)[number];
  shown: readonly Part[];
  /** The position of the first label that is still on the sheet, counted from 0. */
  first: number;
};

const PREFERENCE = 'labels';

/** The choices, and a function to change them. The device remembers them. */
export function useLabelChoices(): [LabelChoices, (change: Partial<LabelChoices>) => void] {
  const [choices, setChoices] = useState(() => parseChoices(readPreference(PREFERENCE) ?? ''));
  function choose(change: Partial<LabelChoices>): void {
    const next = { ...choices, ...change };
    savePreference(PREFERENCE, serializeChoices(next));
    setChoices(next);
  }
  return [choices, choose];
}

export function sheetOf({ sheet, own }: Pick<LabelChoices, 'sheet' | 'own'>): Sheet {
  return sheet === 'own' ? oneLabel(own) : sheets[sheet];
}

export function serializeChoices({ sheet, own, symbol, shown, first }: LabelChoices): string {
  const { width, height } = own;
  return new URLSearchParams(
    Object.entries({ sheet, width, height, symbol, shown: shown.join(' '), first }).map(([key, value]) => [
      key,
      String(value),
    ]),
  ).toString();
}

/** Reads what was remembered. What cannot be read is as on the first visit. */
export function parseChoices(text: string): LabelChoices {
  const stored = new URLSearchParams(text);
  const name = stored.get('sheet') ?? '';
  const sheet = name === 'own' || Object.hasOwn(sheets, name) ? (name as LabelChoices['sheet']) : 'a4-70x37';
  const own = { width: lengthOf(stored.get('width')) ?? 50, height: lengthOf(stored.get('height')) ?? 30 };
  const shown = stored.get('shown')?.split(' ');
  const first = Number(stored.get('first'));
  return {
    sheet,
    own,
    symbol: symbols.find((one) => one === stored.get('symbol')) ?? 'barcode',
    shown: parts.filter((part) => shown?.includes(part) ?? true),
    first: Number.isInteger(first) && first > 0 && first < labelsPerPage(sheetOf({ sheet, own })) ? first : 0,
  };
}

/** Reads the length of an own label in millimetres, in plain digits; null if labels cannot be that long. */
export function lengthOf(text: string | null): number | null {
  const length = Number(text === null || text === '' ? Number.NaN : text);
  return length >= OWN_SIZE.min && length <= OWN_SIZE.max ? length : null;
}
