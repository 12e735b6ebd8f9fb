import { pathOf } from '@perfume/contract/page-paths';
import { useMay } from '../../live/may.ts';
import { Icon } from '../../ui/icon.tsx';
import { NavLink } from '../../ui/link.tsx';
import { matchPath, useLocation } from '../../ui/router.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import { type ShellLink, shellLinks } from './shell-links.ts';
import styles from './sidebar-links.module.css';
import { useManageLink } from './use-manage-link.ts';

type SidebarLinksProps = { expanded: boolean; onDone?: () => void };

export function SidebarLinks({ expanded, onDone }: SidebarLinksProps) {
  const { say, dir } = useWords();
  const manage = useManageLink();
  const may = useMay();
  const itemId = matchPath(`${pathOf.item}/*`, useLocation().pathname)?.id;
  const link = ({ to, word, icon }: ShellLink) => (
    <NavLink to={to} className={styles.link} onClick={onDone}>
      <Icon of={icon} />
      <span className={expanded ? styles.word : 'visually-hidden'}>{say(word)}</span>
    </NavLink>
  );
  return (
    <ul className={styles.links}>
      {shellLinks(manage, itemId)
        .filter(({ does = 'read' }) => does === 'read' || may(does))
        .map((one) => (
          <li key={one.word}>
            {expanded ? (
              link(one)
            ) : (
              <Tooltip text={say(one.word)} side={dir === 'rtl' ? 'left' : 'right'}>
                {link(one)}
              </Tooltip>
            )}
          </li>
        ))}
    </ul>
  );
}
