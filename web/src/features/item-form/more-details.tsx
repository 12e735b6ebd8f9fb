import { useState } from 'react';
import { TextField } from '../../ui/form/field.tsx';
import { useScanner } from '../../ui/keyboard/use-scanner.ts';
import { useWords } from '../../words/words.tsx';
import { BarcodesField } from './barcodes-field.tsx';
import { withCode } from './item-fields.ts';
import layout from './item-form-page.module.css';
import styles from './more-details.module.css';
import type { ItemFormState } from './use-item-form.ts';

/** The codes of an item, folded while there are none. A hand scanner adds a barcode wherever the focus is. */
export function MoreDetails({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const sku = form.field('sku');
  const barcodes = form.field('barcodes');
  const hasCodes = form.texts.sku !== '' || form.texts.barcodes !== '';
  const [isOpen, setOpen] = useState(hasCodes);
  const hasError = sku.error !== undefined || barcodes.error !== undefined;

  useScanner((code) => {
    if (form.busy) return;
    setOpen(true);
    form.setValues(withCode(form.texts, code));
  });

  return (
    <section className={layout.section}>
      <details
        className={styles.details}
        open={isOpen || hasError}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className={styles.summary}>
          <span className={styles.title}>{say('itemForm.moreDetails')}</span>
          <span className={styles.aside}>{say('itemForm.moreDetails.what')}</span>
        </summary>
        <div className={styles.fields}>
          <TextField
            {...sku}
            hint={sku.hint ?? say('itemForm.sku.hint')}
            label={say('itemForm.sku')}
            required={false}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="auto"
          />
          <BarcodesField form={form} />
        </div>
      </details>
    </section>
  );
}
