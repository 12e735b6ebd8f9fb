import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Kbd, ShortcutKeys } from '../../ui/keyboard/kbd.tsx';
import { needsMod } from '../../ui/keyboard/key-strokes.ts';
import { type Shortcut, useShortcuts, useSingleKeys } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import styles from './shortcuts-help.module.css';

/** Lists the shortcuts that work on the current page. Of two with the same keys, the one mounted last runs. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const { say } = useWords();
  const shortcuts = useShortcuts();
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const latest = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  const active = [...latest.values()].filter(({ keys }) => singleKeys || needsMod(keys));
  return (
    <Dialog title={say('shortcuts.title')} closeLabel={say('dialog.close')} onClose={onClose}>
      <List heading={say('shortcuts.page')} shortcuts={active.filter(({ everywhere }) => !everywhere)} />
      <List
        heading={say('shortcuts.everywhere')}
        shortcuts={active.filter(({ everywhere }) => everywhere)}
        withEscape
      />
      <div className={styles.single}>
        <Checkbox
          label={say('shortcuts.single')}
          checked={singleKeys}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
        />
        <p className={styles.hint}>{say('shortcuts.singleHint')}</p>
      </div>
    </Dialog>
  );
}

type ListProps = { heading: string; shortcuts: Shortcut[]; withEscape?: boolean };

function List({ heading, shortcuts, withEscape = false }: ListProps) {
  const { say } = useWords();
  if (shortcuts.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>{heading}</h3>
      <dl className={styles.list}>
        {shortcuts.map(({ keys, description }) => (
          <div key={keys} className={styles.row}>
            <dt>{description}</dt>
            <dd>
              <ShortcutKeys keys={keys} then={say('shortcuts.then')} />
            </dd>
          </div>
        ))}
        {withEscape && (
          <div className={styles.row}>
            <dt>{say('shortcuts.close')}</dt>
            <dd>
              <Kbd>{say('key.escape')}</Kbd>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
