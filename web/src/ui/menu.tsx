import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import styles from './menu.module.css';

type MenuProps = { trigger: ReactNode; dir: 'ltr' | 'rtl'; defaultOpen?: boolean; children: ReactNode };

/**
 * A menu that opens from a button. It is not modal: to lock the page, Radix would add a style tag, which the
 * Content-Security-Policy blocks.
 */
export function Menu({ trigger, dir, defaultOpen = false, children }: MenuProps) {
  return (
    <Radix.Root modal={false} dir={dir} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.menu} align="end" sideOffset={8} collisionPadding={12}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.heading}>{children}</Radix.Label>;
}

export function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Radix.Item asChild className={styles.item}>
      <Link to={to}>{children}</Link>
    </Radix.Item>
  );
}

export function MenuAction({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Radix.Item className={styles.item} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

export function MenuLine() {
  return <Radix.Separator className={styles.line} />;
}

type RadioGroupProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; text: string; lang?: string }[];
  onChoose: (value: T) => void;
};

export function MenuRadioGroup<T extends string>({ label, value, options, onChoose }: RadioGroupProps<T>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as T)} aria-label={label}>
      <Radix.Label className={styles.heading}>{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} lang={option.lang} className={styles.item}>
          <span className={styles.mark}>
            <Radix.ItemIndicator>
              <Icon of={Check} size={16} />
            </Radix.ItemIndicator>
          </span>
          {option.text}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
