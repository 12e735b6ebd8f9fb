import { useBoot } from '../../api/boot.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuAction, MenuHeading, MenuLine, MenuLink } from '../../ui/menu.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './account-menu.module.css';

/** The account menu of the public pages. It starts open, because pressing its button in the header mounts it. */
export function AccountMenu() {
  const { say, dir } = useWords();
  const { user } = useBoot();
  const { logOut } = useSession();
  if (user === null) return null;
  const name = user.displayName || say('account.user');

  return (
    <Menu
      defaultOpen
      dir={dir}
      trigger={
        <IconButton label={say('account.open', { name })}>
          <Avatar image={user.photoURL} />
        </IconButton>
      }
    >
      <MenuHeading>
        <strong className={styles.name}>
          <bdi>{name}</bdi>
        </strong>
        <span dir="ltr">{user.email}</span>
      </MenuHeading>
      <MenuLine />
      <MenuLink to={paths.adminHome}>{say('account.dashboardHome')}</MenuLink>
      <MenuLink to={paths.manageInventory}>{say('account.manageInventory')}</MenuLink>
      <MenuLink to={paths.settings}>{say('account.settings')}</MenuLink>
      <MenuLine />
      <MenuAction onSelect={logOut}>{say('account.logout')}</MenuAction>
    </Menu>
  );
}
