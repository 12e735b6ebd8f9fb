import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBoot } from '../../api/boot.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { onDemand } from '../../lazy/on-demand.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ShortcutKeys } from '../../ui/keyboard/kbd.tsx';
import { ariaKeys } from '../../ui/keyboard/key-strokes.ts';
import { isMac } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import styles from './shell-header.module.css';
import { PALETTE_KEYS } from './shell-shortcuts.ts';

// Both are needed to log out, which has to work without a connection too.
const AccountMenu = onDemand(
  'menu',
  async () => {
    const [{ ShellAccountMenu }] = await Promise.all([
      import('./shell-account-menu.tsx'),
      import('../../live/log-out-question.tsx'),
    ]);
    return ShellAccountMenu;
  },
  true,
);

const HouseSwitcher = lazyPart(async () => (await import('./house-switcher.tsx')).HouseSwitcher, { as: 'extra' });

type ShellHeaderProps = { tools: ReactNode; bell: ReactNode; openPalette: () => void; preloadPalette: () => void };

export function ShellHeader({ tools, bell, openPalette, preloadPalette }: ShellHeaderProps) {
  const { say } = useWords();
  const { user, access } = useBoot();
  const name = user?.displayName || say('account.user');
  return (
    <header className={styles.header}>
      <h2 className={styles.title}>{say('shell.title')}</h2>
      {access === 'houses' && <HouseSwitcher />}
      <button
        type="button"
        className={styles.palette}
        aria-haspopup="dialog"
        aria-keyshortcuts={ariaKeys(PALETTE_KEYS, isMac())}
        onClick={openPalette}
        onPointerEnter={preloadPalette}
        onFocus={preloadPalette}
      >
        <Icon of={Search} />
        <span className={styles.invitation}>{say('palette.open')}</span>
        <span className={styles.keys} aria-hidden="true">
          <ShortcutKeys keys={PALETTE_KEYS} then={say('shortcuts.then')} />
        </span>
      </button>
      <div className={styles.tools}>{tools}</div>
      {bell}
      <AccountMenu
        button={(trigger) => (
          <IconButton label={say('account.open', { name })} {...trigger}>
            <Avatar image={user?.photoURL ?? null} />
          </IconButton>
        )}
      />
    </header>
  );
}
