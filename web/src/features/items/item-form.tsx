import { DESCRIPTION_MIN } from '@perfume/domain/items';
import { countCharacters, normalText } from '@perfume/domain/text';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import type { ItemField } from './item-fields.ts';
import styles from './item-form.module.css';
import { ItemPreview } from './item-preview.tsx';
import { PictureField } from './picture-field.tsx';
import type { ItemFormState } from './use-item-form.ts';

type ItemFormProps = {
  form: ItemFormState;
  submitText: string;
  /** Sections after the spec's three. */
  children?: ReactNode;
};

/** What an item says of itself, in the spec's three sections, with the card it becomes beside it. */
export function ItemForm({ form, submitText, children }: ItemFormProps) {
  const { say } = useWords();
  useShortcut('mod+Enter', submitText, () => void form.submit(), { inFields: true });
  return (
    <div className={styles.sheet}>
      <form {...form.form} className={styles.form}>
        <Section form={form} of={['name', 'price', 'quantity', 'img']} heading={say('itemForm.productInfo')}>
          <ProductInfo form={form} />
        </Section>
        <Section form={form} of={['description']} heading={say('itemForm.productDescription')}>
          <Description form={form} />
        </Section>
        <Section form={form} of={['suplierName', 'email']} heading={say('itemForm.dealerInfo')}>
          <DealerInfo form={form} />
        </Section>
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
    <section className={styles.section}>
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
        <TextField
          {...form.field('price')}
          label={say('itemForm.price')}
          {...numeric}
          inputMode="decimal"
          step="any"
          after={<span className={styles.unit}>{say('itemForm.usd')}</span>}
        />
      )}
      {asks('quantity') && (
        <TextField
          {...form.field('quantity')}
          label={say('itemForm.quantity')}
          {...numeric}
          inputMode="numeric"
          step={1}
        />
      )}
      {asks('img') && (
        <div className={styles.whole}>
          <PictureField form={form} />
        </div>
      )}
    </>
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

function DealerInfo({ form }: { form: ItemFormState }) {
  const { say } = useWords();
  const asks = (name: ItemField) => form.fields.includes(name);
  return (
    <>
      {asks('suplierName') && (
        <TextField
          {...form.field('suplierName')}
          label={say('itemForm.suplierName')}
          autoComplete="organization"
          dir="auto"
        />
      )}
      {asks('email') && (
        <TextField
          {...form.field('email')}
          label={say('itemForm.email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      )}
    </>
  );
}

const numeric = {
  type: 'number',
  min: 0,
  autoComplete: 'off',
  dir: 'ltr',
  // Scrolling the page over a field would count it up or down, where a browser does so without arrows to press.
  onWheel: ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.blur(),
} as const;
