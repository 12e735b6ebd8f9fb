import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './password-field.module.css';

type PasswordFieldProps = {
  label: string;
  name: string;
  hint?: string;
  error: string | undefined;
  required: boolean;
  autoComplete: 'current-password' | 'new-password';
};

/** A password field with a show button and a Caps Lock warning. */
export function PasswordField(props: PasswordFieldProps) {
  const { say } = useWords();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className={styles.password}>
      <TextField
        {...props}
        type={shown ? 'text' : 'password'}
        dir="ltr"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={() => setCapsLock(false)}
        after={
          <IconButton
            label={say(shown ? 'identity.hidePassword' : 'identity.showPassword')}
            onClick={() => setShown(!shown)}
          >
            <Icon of={shown ? EyeOff : Eye} />
          </IconButton>
        }
      />
      <p role="status" className={styles.capsLock}>
        {capsLock ? say('identity.capsLock') : ''}
      </p>
    </div>
  );
}
