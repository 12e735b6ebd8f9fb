import { useBoot } from '../../api/boot.ts';
import { useInstallApp } from '../../live/install-app.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuAction, MenuHeading, MenuLine, MenuLink } from '../../ui/menu.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './shell-account-menu.module.css';
import { useManageLink } from './use-manage-link.ts';

/** The account menu of the dashboard. It starts open, because pressing its button in the header mounts it. */
export function ShellAccountMenu() {
  const { say, dir } = useWords();
  const { user } = useBoot();
  const manage = useManageLink();
  const { logOut } = useSession();
  const install = useInstallApp();
  const name = user?.displayName || say('account.user');
  return (
    <Menu
      defaultOpen
      dir={dir}
      trigger={
        <IconButton label={say('account.open', { name })}>
          <Avatar image={user?.photoURL ?? null} />
        </IconButton>
      }
    >
      <MenuHeading>
        <strong className={styles.name}>
          <bdi>{name}</bdi>
        </strong>
        {user?.email ? <span dir="ltr">{user.email}</span> : <span>{say('shell.noEmail')}</span>}
      </MenuHeading>
      <MenuLine />
      <MenuLink to={paths.home}>{say('shell.homePage')}</MenuLink>
      <MenuLink to={manage}>{say('account.manageInventory')}</MenuLink>
      <MenuLink to={paths.settings}>{say('account.settings')}</MenuLink>
      {install && <MenuAction onSelect={install}>{say('shell.install')}</MenuAction>}
      <MenuLine />
      <MenuAction onSelect={logOut}>{say('account.logout')}</MenuAction>
    </Menu>
  );
}
