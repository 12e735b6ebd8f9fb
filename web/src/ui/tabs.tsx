import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

type TabsProps = {
  label: string;
  dir: 'ltr' | 'rtl';
  tabs: readonly { id: string; title: string; content: ReactNode }[];
};

export function Tabs({ label, dir, tabs }: TabsProps) {
  return (
    <Radix.Root dir={dir} {...(tabs[0] && { defaultValue: tabs[0].id })}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Radix.Trigger key={id} value={id} className={styles.tab}>
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className={styles.panel}>
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
