import { Confirm } from '../ui/confirm.tsx';
import { useWords } from '../words/words.tsx';

export type LogOutQuestionProps = {
  /** How many new items and edits were typed but not saved. */
  count: number;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before unsaved items and edits are removed from this browser. */
export function LogOutQuestion({ count, onConfirm, onCancel }: LogOutQuestionProps) {
  const { say } = useWords();
  return (
    <Confirm
      title={say('account.unsavedTitle')}
      text={say('account.unsaved', { count })}
      confirmLabel={say('account.discardAndLogOut')}
      cancelLabel={say('account.stay')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
