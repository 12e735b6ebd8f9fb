import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './form-notice.module.css';

/** A message above an item form, with a button or link. */
export function FormNotice({ children }: { children: ReactNode }) {
  return <div className={styles.notice}>{children}</div>;
}

/** Says that unsaved changes were restored, and offers to discard them. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const { say } = useWords();
  return (
    <FormNotice>
      <p role="status">{say('draft.restored')}</p>
      <Button size="s" look="plain" onClick={onDiscard}>
        {say('draft.discard')}
      </Button>
    </FormNotice>
  );
}
