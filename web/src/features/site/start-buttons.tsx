import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './start-buttons.module.css';

/** The buttons 'Get started' and 'Live demo' of the hero and the closing call. */
export function StartButtons() {
  const { say } = useWords();
  const { user, demo, signUp } = useBoot();
  const signUpPath = signUp === 'closed' ? paths.login : paths.register;
  const [state, setState] = useState<'idle' | 'opening' | 'failed'>('idle');

  useEffect(() => {
    // The back button may restore the page from the back-forward cache with the demo button still busy.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && setState('idle');
    addEventListener('pageshow', returned);
    return () => removeEventListener('pageshow', returned);
  }, []);

  async function openDemo() {
    if (!demo) return scrollToGrid();
    setState('opening');
    try {
      await call('POST /demo/sign-in', { body: {} });
      location.assign(paths.manageInventory);
    } catch {
      setState('failed');
    }
  }

  return (
    <div className={styles.buttons}>
      <LinkButton look="primary" to={user ? paths.adminHome : signUpPath}>
        {say('hero.getStarted')}
      </LinkButton>
      <Button onClick={openDemo} busy={state === 'opening'}>
        {say('hero.liveDemo')}
      </Button>
      {state === 'failed' && (
        <p role="alert" className={styles.failed}>
          {say('hero.demoFailed')}
        </p>
      )}
    </div>
  );
}

function scrollToGrid(): void {
  const grid = document.getElementById('items');
  grid?.scrollIntoView();
  grid?.focus({ preventScroll: true });
}
