import { Confirm } from '../ui/confirm.tsx';
import { useWords, type Words } from '../words/words.tsx';

export type LogOutQuestionProps = {
  /** How many new items and edits were typed but not saved. They are removed. */
  count: number;
  /** How many changes of stock wait on this device to be sent. They stay. */
  unsent: number;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before unsaved items and edits are removed from this browser, and before changes wait for the next login. */
export function LogOutQuestion({ count, unsent, onConfirm, onCancel }: LogOutQuestionProps) {
  const { say } = useWords();
  return (
    <Confirm
      title={say(count > 0 ? 'account.unsavedTitle' : 'account.unsentTitle')}
      text={logOutText(count, unsent, say)}
      confirmLabel={say(count > 0 ? 'account.discardAndLogOut' : 'account.logout')}
      cancelLabel={say('account.stay')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

/** Returns what happens to unsaved texts and unsent changes when the user logs out. */
export function logOutText(count: number, unsent: number, say: Words['say']): string {
  const kept = unsent > 0 ? [say('account.unsent', { count: unsent })] : [];
  return [...kept, ...(count > 0 ? [say('account.unsaved', { count })] : [])].join(' ');
}
