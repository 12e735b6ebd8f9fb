import { DESCRIPTION_MIN } from '@perfume/domain/items';
import { countCharacters, normalText } from '@perfume/domain/text';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmailField, TextArea, TextField } from '../../ui/form/field.tsx';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import { type ItemField, interpretNumber } from './item-fields.ts';
import styles from './item-form.module.css';
import layout from './item-form-page.module.css';
import { ItemPreview } from './item-preview.tsx';
import { MoreDetails } from './more-details.tsx';
import { PictureField } from './picture-field.tsx';
import { supplierNamesQuery } from './supplier-names-query.ts';
import type { ItemFormState } from './use-item-form.ts';

type ItemFormProps = {
  form: ItemFormState;
  submitText: string;
  /** More sections, shown after the spec's three. */
  children?: ReactNode;
};

/** The form to add or edit an item: the spec's three sections, with a preview of the item's card. */
export function ItemForm({ form, submitText, children }: ItemFormProps) {
  const { say } = useWords();
  useShortcut('mod+Enter', submitText, () => void form.submit(), { inFields: true });
  return (
    <div className={styles.sheet}>
      <form {...form.form} className={styles.form}>
        <Section form={form} of={['name', 'price', 'quantity', 'imageUrl']} heading={say('itemForm.productInfo')}>
          <ProductInfo form={form} />
        </Section>
        <Section form={form} of={['description']} heading={say('itemForm.productDescription')}>
          <Description form={form} />
        </Section>
        <Section form={form} of={['supplierName', 'email']} heading={say('itemForm.dealerInfo')}>
          <DealerInfo form={form} />
        </Section>
        <MoreDetails form={form} />
        {children}
        <div className={styles.bar}>
          <Button type="submit" look="primary" busy={form.busy}>
            {submitText}
          </Button>
        </div>
      </form>
      <div className={styles.beside}>
        <ItemPreview texts={form.texts} />
      </div>
    </div>
  );
}

type SectionProps = { form: ItemFormState; of: ItemField[]; heading: string; children: ReactNode };

function Section({ form, of, heading, children }: SectionProps) {
  if (!of.some((name) => form.fields.includes(name))) return null;
  return (
    <section className={layout.section}>
      <h2>{heading}</h2>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

function ProductInfo({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const asks = (name: ItemField) => form.fields.includes(name);
  return (
    <>
      {asks('name') && (
        <div className={styles.whole}>
          <TextField {...form.field('name')} label={say('itemForm.name')} autoComplete="off" dir="auto" />
        </div>
      )}
      {asks('price') && (
        <NumberField
          form={form}
          name="price"
          inputMode="decimal"
          after={<span className={layout.unit}>{say('itemForm.usd')}</span>}
        />
      )}
      {asks('quantity') && <NumberField form={form} name="quantity" inputMode="numeric" />}
      {asks('imageUrl') && (
        <div className={styles.whole}>
          <PictureField form={form} />
        </div>
      )}
    </>
  );
}

type NumberFieldProps = Pick<ComponentProps<typeof TextField>, 'inputMode' | 'after'> & {
  form: ItemFormState;
  name: 'price' | 'quantity';
};

/**
 * A field for a price or quantity that shows how the typed number is understood. It is a text field, because number
 * fields drop the comma while the user types: 58,50 would become 5850.
 */
function NumberField({ form, name, ...rest }: NumberFieldProps) {
  const words = useWords();
  const { say } = words;
  const field = form.field(name);
  const value = interpretNumber(name, form.texts[name], words);
  const hint = value === undefined ? say(`itemForm.${name}.hint`) : say('itemForm.savedAs', { value });
  return (
    <TextField
      {...(field.error === undefined && { hint })}
      {...field}
      label={say(`itemForm.${name}`)}
      autoComplete="off"
      dir="ltr"
      {...rest}
    />
  );
}

function Description({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const count = countCharacters(normalText(form.texts.description));
  const missing = DESCRIPTION_MIN - count;
  return (
    <div className={styles.whole}>
      <TextArea
        label={say('itemForm.description')}
        hint={
          missing > 0 ? say('itemForm.charactersMissing', { count: missing }) : say('itemForm.characters', { count })
        }
        dir="auto"
        {...form.field('description')}
      />
    </div>
  );
}

/** A field for the supplier's name. It suggests known suppliers and accepts new ones. */
function SupplierField({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const id = useId();
  const [isWanted, setWanted] = useState(false);
  const { data: names = [] } = useQuery({ ...supplierNamesQuery, enabled: isWanted });
  return (
    <>
      <TextField
        {...form.field('supplierName')}
        label={say('itemForm.supplierName')}
        list={id}
        onFocus={() => setWanted(true)}
        autoComplete="off"
        dir="auto"
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function DealerInfo({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const asks = (name: ItemField) => form.fields.includes(name);
  return (
    <>
      {asks('supplierName') && <SupplierField form={form} />}
      {asks('email') && <EmailField {...form.field('email')} label={say('itemForm.email')} />}
    </>
  );
}
