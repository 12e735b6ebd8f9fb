import { useEffect } from 'react';
import { useBoot } from '../../api/boot.ts';
import { resetStackFor } from '../../live/undo-stack.ts';
import { redoLastWithToast, undoLastWithToast } from '../../live/undo-with-toast.ts';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';

/**
 * The shortcuts Ctrl+Z, which undoes the user's last action in this tab, and Ctrl+Shift+Z, which redoes it. In text
 * fields the browser handles these keys.
 */
export function UndoShortcut() {
  const words = useWords();
  const { user } = useBoot();
  const userId = user?.id ?? '';
  useEffect(() => resetStackFor(userId), [userId]);
  useShortcut('mod+z', words.say('shortcuts.undo'), () => void undoLastWithToast(words), { everywhere: true });
  useShortcut('mod+shift+z', words.say('shortcuts.redo'), () => void redoLastWithToast(words), { everywhere: true });
  return null;
}
