import { useEffect } from 'react';
import { useBoot } from '../../api/boot.ts';
import { resetStackFor } from '../../live/undo-stack.ts';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import { redoLastWithToast, undoLastWithToast } from '../history/undo-with-toast.ts';

/** Ctrl Z takes back the last thing this person did in this tab, Ctrl Shift Z does it again. In fields the keys are the field's. */
export function UndoShortcut() {
  const words = useWords();
  const { user } = useBoot();
  const person = user?.id ?? '';
  useEffect(() => resetStackFor(person), [person]);
  useShortcut('mod+z', words.say('shortcuts.undo'), () => void undoLastWithToast(words), { everywhere: true });
  useShortcut('mod+shift+z', words.say('shortcuts.redo'), () => void redoLastWithToast(words), { everywhere: true });
  return null;
}
