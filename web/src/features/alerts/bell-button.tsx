import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { newestAlerts } from './alerts-query.ts';
import styles from './bell-button.module.css';

const MAX_SHOWN = 99;

export function BellButton(props: Omit<ComponentProps<typeof IconButton>, 'label' | 'children'>) {
  const { say, number } = useWords();
  const { data } = useQuery(newestAlerts);
  const unseen = data?.unseen ?? 0;
  const label = unseen > 0 ? say('alerts.bell', { count: unseen }) : say('alerts.bell.quiet');
  return (
    <IconButton {...props} label={label} className={styles.bell}>
      <Icon of={BellIcon} />
      {unseen > 0 && (
        <span className={styles.count}>{unseen > MAX_SHOWN ? `${number(MAX_SHOWN)}+` : number(unseen)}</span>
      )}
    </IconButton>
  );
}
