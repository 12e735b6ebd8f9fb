import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { withProof } from '../../live/with-proof.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from '../identity/auth-error-text.ts';
import { checks } from '../identity/checks.ts';
import { CodeField } from '../identity/code-field.tsx';
import { FormError } from '../identity/form-parts.tsx';
import { refetchSecondSteps, secondStepsQuery } from '../identity/second-steps-query.ts';
import { useAuthForm } from '../identity/use-auth-form.ts';
import failed from './session-settings.module.css';
import styles from './two-step-settings.module.css';

type Setup = { secret: string; qrCode: string };

/** Turns two-step login on and off, and makes new recovery codes. */
export function TwoStepSettings() {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const { data, error, isFetching, refetch } = useQuery(secondStepsQuery);
  const [busy, setBusy] = useState(false);
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isAsking, setAsking] = useState(false);

  async function run(action: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      await withProof(action);
      await refetchSecondSteps();
    } catch (problem) {
      notify({ kind: 'error', id: 'twoStep', text: authErrorText(problem, words) });
    }
    setBusy(false);
  }

  const start = () => run(async () => setSetup((await call('POST /api/auth/two-factor/enable', { body: {} })).data));
  const renew = () =>
    run(async () =>
      setCodes((await call('POST /api/auth/two-factor/generate-backup-codes', { body: {} })).data.backupCodes),
    );
  const turnOff = () => {
    setAsking(false);
    void run(async () => {
      await call('POST /api/auth/two-factor/disable', { body: {} });
      notify({ kind: 'success', id: 'twoStep', text: say('settings.twoStep.turnedOff') });
    });
  };

  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="3rem" />;
    return (
      <div className={failed.failed} role="alert">
        <p>{say('settings.twoStep.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  if (!data.twoStep && !user?.providers.includes('password')) return <p>{say('settings.twoStep.noPassword')}</p>;
  return (
    <div className={styles.section}>
      {data.twoStep ? (
        <>
          <p>
            <Badge tone="good">{say('settings.twoStep.on')}</Badge>{' '}
            {say('settings.twoStep.codesLeft', { count: data.recoveryCodesLeft })}
          </p>
          <div className={styles.buttons}>
            <Button busy={busy} onClick={() => void renew()}>
              {say('settings.twoStep.newCodes')}
            </Button>
            <Button onClick={() => setAsking(true)}>{say('settings.twoStep.turnOff')}</Button>
          </div>
        </>
      ) : (
        <div>
          <Button busy={busy} onClick={() => void start()}>
            {say('settings.twoStep.turnOn')}
          </Button>
        </div>
      )}
      {setup && (
        <SetupDialog
          setup={setup}
          onClose={() => setSetup(null)}
          onCodes={(codes) => {
            setSetup(null);
            setCodes(codes);
            void refetchSecondSteps();
          }}
        />
      )}
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
      {isAsking && (
        <Confirm
          title={say('settings.twoStep.turnOff')}
          text={say('settings.twoStep.question')}
          confirmLabel={say('settings.twoStep.turnOff')}
          cancelLabel={say('delete.cancel')}
          onConfirm={turnOff}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}

type SetupProps = { setup: Setup; onCodes: (codes: string[]) => void; onClose: () => void };

function SetupDialog({ setup, onCodes, onClose }: SetupProps) {
  const { say } = useWords();
  const { form, field, submit, formError } = useAuthForm({
    fields: { code: checks.password },
    send: async (body) => {
      const { data } = await withProof(() => call('POST /api/auth/two-factor/confirm', { body }));
      onCodes(data.backupCodes);
    },
  });
  return (
    <Dialog
      title={say('settings.twoStep.setup')}
      description={say('settings.twoStep.setup.text')}
      closeLabel={say('dialog.close')}
      onClose={onClose}
    >
      <form {...form} className={styles.form}>
        <img
          className={styles.qrCode}
          src={`data:image/svg+xml,${encodeURIComponent(setup.qrCode)}`}
          alt={say('settings.twoStep.qrCode')}
        />
        <p>
          {say('settings.twoStep.secret')}{' '}
          <code dir="ltr" className={styles.secret}>
            {setup.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
        </p>
        <FormError error={formError} />
        <CodeField {...field('code')} hint={say('settings.twoStep.code.hint')} />
        <Button {...submit} look="primary">
          {say('settings.twoStep.turnOn')}
        </Button>
      </form>
    </Dialog>
  );
}

function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { say } = useWords();
  const text = useRef<HTMLTextAreaElement>(null);
  function copy() {
    text.current?.select();
    // The clipboard API needs https. This works everywhere.
    if (document.execCommand('copy')) notify({ kind: 'success', id: 'codes', text: say('settings.twoStep.copied') });
  }
  return (
    <Dialog
      title={say('settings.twoStep.codes')}
      description={say('settings.twoStep.codes.text')}
      closeLabel={say('dialog.close')}
      onClose={onClose}
    >
      <div className={styles.form}>
        <textarea
          ref={text}
          className={styles.codes}
          aria-label={say('settings.twoStep.codes')}
          dir="ltr"
          rows={codes.length}
          readOnly
          value={codes.join('\n')}
        />
        <div className={styles.buttons}>
          <Button onClick={copy}>{say('settings.twoStep.copy')}</Button>
          <Button onClick={() => download(new Blob([`${codes.join('\n')}\n`]), 'recovery-codes.txt')}>
            {say('settings.twoStep.download')}
          </Button>
          <Button look="primary" onClick={onClose}>
            {say('settings.twoStep.saved')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
