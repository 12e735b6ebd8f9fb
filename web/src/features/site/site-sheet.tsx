import { Menu } from 'lucide-react';
import { useBoot } from '../../api/boot.ts';
import { useChooseLanguage } from '../../lazy/choose-language.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NavLink } from '../../ui/link.tsx';
import { themes, useTheme } from '../../ui/preference.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { languageNames, languages } from '../../words/languages.ts';
import { useWords } from '../../words/words.tsx';
import { useSiteLinks } from './site-links.ts';
import styles from './site-sheet.module.css';

/** The navbar on small screens. It starts open, because pressing its button in the header mounts it. */
export function SiteSheet() {
  const { say } = useWords();
  const { user, signUp } = useBoot();
  const links = useSiteLinks();
  return (
    <Sheet
      title={say('nav.menu')}
      closeLabel={say('nav.closeMenu')}
      trigger={
        <IconButton label={say('nav.openMenu')}>
          <Icon of={Menu} size={24} />
        </IconButton>
      }
    >
      {(close) => (
        <>
          {user && <Person />}
          <nav aria-label={say('nav.label')} className={styles.links}>
            {links.map(({ to, word }) => (
              <NavLink key={to} to={to} className={styles.link} onClick={close}>
                {say(word)}
              </NavLink>
            ))}
            {user && (
              <>
                <NavLink to={paths.adminHome} className={styles.link} onClick={close}>
                  {say('account.dashboardHome')}
                </NavLink>
                <NavLink to={paths.settings} className={styles.link} onClick={close}>
                  {say('account.settings')}
                </NavLink>
              </>
            )}
          </nav>
          {!user && (
            <div className={styles.signIn}>
              {signUp !== 'closed' && (
                <LinkButton to={paths.register} look="primary" onClick={close}>
                  {say('nav.signup')}
                </LinkButton>
              )}
              <LinkButton to={paths.login} onClick={close}>
                {say('nav.login')}
              </LinkButton>
            </div>
          )}
          <Preferences />
        </>
      )}
    </Sheet>
  );
}

function Person() {
  const { say } = useWords();
  const { user } = useBoot();
  const { logOut } = useSession();
  if (user === null) return null;

  return (
    <div className={styles.person}>
      <Avatar image={user.photoURL} large />
      <p className={styles.who}>
        <strong>
          <bdi>{user.displayName || say('account.user')}</bdi>
        </strong>
        <span dir="ltr">{user.email}</span>
      </p>
      <Button size="s" onClick={logOut}>
        {say('account.logout')}
      </Button>
    </div>
  );
}

function Preferences() {
  const { say, language } = useWords();
  const chooseLanguage = useChooseLanguage();
  const [theme, setTheme] = useTheme();
  return (
    <div className={styles.preferences}>
      <RadioGroup
        label={say('language.label')}
        value={language}
        onChoose={chooseLanguage}
        options={languageNames.map((value) => ({ value, text: languages[value].name, lang: languages[value].lang }))}
      />
      <RadioGroup
        label={say('theme.label')}
        value={theme}
        onChoose={setTheme}
        options={themes.map((value) => ({ value, text: say(`theme.${value}`) }))}
      />
    </div>
  );
}
