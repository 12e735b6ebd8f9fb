import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';

type Props = { name: string; error: string | undefined; required: boolean; hint?: string };

/** A field for the six digits of an authenticator app. Phones offer the digit keyboard and fill the code in. */
export function CodeField(props: Props) {
  const { say } = useWords();
  return (
    <TextField
      {...props}
      label={say('codeStep.code')}
      autoComplete="one-time-code"
      inputMode="numeric"
      dir="ltr"
      autoFocus
    />
  );
}
