import { Confirm } from '../ui/confirm.tsx';
import { useWords } from '../words/words.tsx';

export type LogOutQuestionProps = {
  /** How many new items and edits were typed but not saved. They are removed. */
  count: number;
  /** How many changes of stock wait on this device to be sent. They stay. */
  unsent: number;
  /** How many entries of counts wait on this device to be sent. They stay, unless the device has no room for them. */
  entries: number;
  areEntriesLost: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before unsaved items and edits are removed from this browser, and before changes wait for the next login. */
export function LogOutQuestion({ count, unsent, entries, areEntriesLost, onConfirm, onCancel }: LogOutQuestionProps) {
  const { say } = useWords();
  return (
    <Confirm
      title={say(count > 0 ? 'account.unsavedTitle' : 'account.unsentTitle')}
      text={[
        unsent > 0 && say('account.unsent', { count: unsent }),
        entries > 0 && say(areEntriesLost ? 'account.entriesLost' : 'account.unsentEntries', { count: entries }),
        count > 0 && say('account.unsaved', { count }),
      ]
        .filter(Boolean)
        .join(' ')}
      confirmLabel={say(count > 0 ? 'account.discardAndLogOut' : 'account.logout')}
      cancelLabel={say('account.stay')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
