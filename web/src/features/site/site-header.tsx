import { Menu as MenuIcon } from 'lucide-react';
import { useBoot } from '../../api/boot.ts';
import { onDemand } from '../../lazy/on-demand.tsx';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NavLink } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import { Brand } from './brand.tsx';
import { PreferenceMenus } from './preference-menus.tsx';
import styles from './site-header.module.css';
import { useSiteLinks } from './site-links.ts';

const AccountMenu = onDemand('menu', async () => (await import('./account-menu.tsx')).AccountMenu);
const SiteSheet = onDemand('dialog', async () => (await import('./site-sheet.tsx')).SiteSheet);

export function SiteHeader() {
  const { say } = useWords();
  const { user } = useBoot();
  const links = useSiteLinks();
  return (
    <header className={styles.header}>
      <Brand />
      <nav aria-label={say('nav.label')} className={styles.links}>
        {links.map(({ to, word }) => (
          <NavLink key={to} to={to} className={styles.link}>
            {say(word)}
          </NavLink>
        ))}
      </nav>
      <div className={styles.tools}>
        <PreferenceMenus />
      </div>
      {user ? (
        <div className={styles.account}>
          <AccountMenu
            button={(trigger) => (
              <IconButton label={say('account.open', { name: user.displayName || say('account.user') })} {...trigger}>
                <Avatar image={user.photoURL} />
              </IconButton>
            )}
          />
        </div>
      ) : (
        <SignInLinks />
      )}
      <div className={styles.sheet}>
        <SiteSheet
          button={(trigger) => (
            <IconButton label={say('nav.openMenu')} {...trigger}>
              <Icon of={MenuIcon} size={24} />
            </IconButton>
          )}
        />
      </div>
    </header>
  );
}

function SignInLinks() {
  const { say } = useWords();
  const { signUp } = useBoot();
  return (
    <div className={styles.signIn}>
      <NavLink to={paths.login} className={styles.link}>
        {say('nav.login')}
      </NavLink>
      {signUp !== 'closed' && (
        <LinkButton to={paths.register} look="primary" size="s">
          {say('nav.signup')}
        </LinkButton>
      )}
    </div>
  );
}
