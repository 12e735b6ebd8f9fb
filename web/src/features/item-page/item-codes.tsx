import type { Item } from '@perfume/domain/items';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './item-codes.module.css';

/** The SKU and the barcodes of an item, each with a button to copy it. Shows nothing if the item has none. */
export function ItemCodes({ item: { sku, barcodes } }: { item: Item }) {
  const { say } = useWords();
  if (sku === null && barcodes.length === 0) return null;
  return (
    <dl className={styles.codes}>
      {sku !== null && (
        <div className={styles.row}>
          <dt>{say('codes.sku')}</dt>
          <dd>
            <Code code={sku} />
          </dd>
        </div>
      )}
      {barcodes.length > 0 && (
        <div className={styles.row}>
          <dt>{say('codes.barcodes')}</dt>
          <dd>
            {barcodes.map((code) => (
              <Code key={code} code={code} />
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Code({ code }: { code: string }) {
  const { say } = useWords();
  const [isCopied, setCopied] = useState(false);
  return (
    <span className={styles.code}>
      <bdi>{code}</bdi>
      <IconButton
        label={say(isCopied ? 'codes.copied' : 'codes.copy', { code })}
        onClick={() => setCopied(copyText(code))}
        onBlur={() => setCopied(false)}
      >
        <Icon of={isCopied ? Check : Copy} size={16} />
      </IconButton>
    </span>
  );
}
