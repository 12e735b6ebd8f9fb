import type { Item } from '@perfume/domain/items';
import { labelCode, layOut, MARGIN, type Place, type Sheet, type Size, textSize } from '@perfume/domain/labels';
import { memo } from 'react';
import { useWords } from '../../words/words.tsx';
import { drawSymbol } from './draw-symbol.ts';
import type { LabelChoices } from './label-choices.ts';
import styles from './label-sheet.module.css';

type Look = Pick<LabelChoices, 'symbol' | 'shown'>;
type SheetProps = Look & { sheet: Sheet; places: readonly Place[]; labels: readonly Item[] };

/** One page of labels. Its lengths are multiples of `--mm`, a millimetre on paper and less on screen. */
export function LabelSheet({ sheet, places, labels, ...look }: SheetProps) {
  const { page, label } = sheet;
  return (
    <div className={styles.page} style={{ inlineSize: mm(page.width), blockSize: mm(page.height) }}>
      {places.map(({ index, x, y }) => {
        const item = labels[index];
        // On the sheet, left is left in every language.
        const place = { left: mm(x), top: mm(y), inlineSize: mm(label.width), blockSize: mm(label.height) };
        return (
          item && (
            <div key={index} className={styles.place} style={place}>
              <Label item={item} size={label} {...look} />
            </div>
          )
        );
      })}
    </div>
  );
}

const Label = memo(function Label({ item, size, symbol, shown }: Look & { item: Item; size: Size }) {
  const { money } = useWords();
  const code = labelCode(item) ?? '';
  const { kind, width, isBeside } = layOut(size, code, symbol, shown.length > 0);
  const { path, viewBox } = drawSymbol(kind, code);
  const isSquare = kind === 'qrcode';
  return (
    <div
      className={styles.label}
      data-beside={isBeside || undefined}
      style={{ padding: mm(MARGIN), fontSize: mm(textSize(size)) }}
    >
      {shown.includes('name') && (
        <p className={styles.name}>
          <bdi>{item.name}</bdi>
        </p>
      )}
      <svg
        className={styles.symbol}
        viewBox={viewBox}
        preserveAspectRatio={isSquare ? undefined : 'none'}
        style={{ inlineSize: mm(width), ...(isSquare && { blockSize: mm(width), flex: 'none' }) }}
        aria-hidden="true"
      >
        <path d={path} fillRule="evenodd" />
      </svg>
      <p className={styles.foot}>
        {shown.includes('code') && <bdi className={styles.code}>{code}</bdi>}
        {shown.includes('price') && <bdi className={styles.price}>{money(item.priceCents)}</bdi>}
      </p>
    </div>
  );
});

function mm(length: number): string {
  return `calc(var(--mm) * ${length})`;
}
