import { Menu, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './sidebar.module.css';
import { SidebarLinks } from './sidebar-links.tsx';
import { SidebarSearch } from './sidebar-search.tsx';
import type { SidebarState } from './sidebar-state.ts';
import { SidebarViews } from './sidebar-views.tsx';

type SidebarProps = { state: SidebarState; tools: ReactNode };

/** The sidebar: 50px wide when collapsed and 200px when expanded, on every screen. */
export function Sidebar({ state, tools }: SidebarProps) {
  return state.drawer ? <PhoneSidebar state={state} tools={tools} /> : <WideSidebar state={state} />;
}

function WideSidebar({ state: { expanded, setExpanded } }: Pick<SidebarProps, 'state'>) {
  const { say, dir } = useWords();
  return (
    <nav
      aria-label={say('sidebar.label')}
      className={expanded ? `${styles.sidebar} ${styles.expanded}` : styles.sidebar}
    >
      <div className={styles.top}>
        <Tooltip text={say(expanded ? 'sidebar.collapse' : 'sidebar.expand')} side={dir === 'rtl' ? 'left' : 'right'}>
          <IconButton
            label={say('sidebar.toggle')}
            aria-expanded={expanded}
            onClick={() => setExpanded(!expanded)}
            className={styles.toggle}
          >
            <Icon of={expanded ? PanelLeftClose : PanelLeftOpen} flips />
          </IconButton>
        </Tooltip>
        {expanded && <h2 className={styles.heading}>{say('sidebar.heading')}</h2>}
      </div>
      {expanded && <SidebarSearch />}
      <SidebarLinks expanded={expanded} />
      <SidebarViews expanded={expanded} />
    </nav>
  );
}

/**
 * The sidebar on phones. Collapsed, it is only a button in the corner of the sticky header: a column of eight icons
 * would take a sixth of a 320px screen from the table beside it.
 */
function PhoneSidebar({ state: { expanded, setExpanded }, tools }: SidebarProps) {
  const { say } = useWords();
  const close = () => setExpanded(false);
  return (
    <nav aria-label={say('sidebar.label')} className={styles.corner}>
      <IconButton
        label={say('sidebar.toggle')}
        aria-haspopup="dialog"
        aria-expanded={expanded}
        onClick={() => setExpanded(true)}
      >
        <Icon of={Menu} size={24} />
      </IconButton>
      {expanded && (
        <Drawer title={say('sidebar.heading')} closeLabel={say('nav.closeMenu')} onClose={close}>
          <SidebarSearch onDone={close} />
          <nav aria-label={say('sidebar.label')}>
            <SidebarLinks expanded onDone={close} />
            <SidebarViews expanded onDone={close} />
          </nav>
          <div className={styles.tools}>{tools}</div>
        </Drawer>
      )}
    </nav>
  );
}
