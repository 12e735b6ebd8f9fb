import { useQuery } from '@tanstack/react-query';
import { useBoot } from '../../api/boot.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { loadArea } from '../../words/catalogues.ts';
import { useWords } from '../../words/words.tsx';
import { AlertSettings } from './alert-settings.tsx';
import { DataSettings } from './data-settings.tsx';
import { DisplaySettings } from './display-settings.tsx';
import { SessionSettings } from './session-settings.tsx';
import styles from './settings-page.module.css';
import { settingsQuery } from './settings-query.ts';
import { SettingsSection } from './settings-section.tsx';
import { WarehouseSettings } from './warehouse-settings.tsx';

const AccountSettings = lazyPart(async () => (await import('./account-settings.tsx')).AccountSettings, {
  words: 'identity',
  fallback: <Skeleton width="min(24rem, 100%)" height="6rem" />,
});

const ApiKeySettings = lazyPart(async () => (await import('./api-key-settings.tsx')).ApiKeySettings, {
  words: 'identity',
  fallback: <Skeleton width="min(24rem, 100%)" height="6rem" />,
});

const TwoStepSettings = lazyPart(async () => (await import('./two-step-settings.tsx')).TwoStepSettings, {
  words: 'identity',
  fallback: <Skeleton width="min(24rem, 100%)" height="3rem" />,
});

const ProviderSettings = lazyPart(async () => (await import('./provider-settings.tsx')).ProviderSettings, {
  words: 'identity',
  fallback: <Skeleton width="min(24rem, 100%)" height="3rem" />,
});

const PasskeySettings = lazyPart(async () => (await import('./passkey-settings.tsx')).PasskeySettings, {
  words: 'identity',
  fallback: <Skeleton width="min(24rem, 100%)" height="3rem" />,
});

const HouseSections = lazyPart(
  async (language) => {
    await Promise.all([loadArea(language, 'identity'), loadArea(language, 'history')]);
    return (await import('./house-sections.tsx')).HouseSections;
  },
  { words: 'houses', fallback: <Skeleton width="min(24rem, 100%)" height="6rem" /> },
);

/** /dashboard/settings: the settings of the warehouse and of the user. */
export function SettingsPage() {
  const { say } = useWords();
  const { user, access } = useBoot();
  const may = useMay();
  const linked = (user?.providers ?? []).filter((id) => id !== 'password');
  return (
    <div className={styles.page}>
      <h1>{say('settings.heading')}</h1>
      {access === 'houses' && <HouseSections />}
      <StockSettings />
      <SettingsSection heading={say('settings.display')} text={say('settings.display.text')}>
        <DisplaySettings />
      </SettingsSection>
      <SettingsSection heading={say('settings.account')} text={say('settings.account.text')}>
        <AccountSettings />
      </SettingsSection>
      {linked.length > 0 && (
        <SettingsSection heading={say('settings.providers')} text={say('settings.providers.text')}>
          <ProviderSettings linked={linked} />
        </SettingsSection>
      )}
      <SettingsSection heading={say('settings.twoStep')} text={say('settings.twoStep.text')}>
        <TwoStepSettings />
      </SettingsSection>
      <SettingsSection heading={say('settings.passkeys')} text={say('settings.passkeys.text')}>
        <PasskeySettings />
      </SettingsSection>
      <SettingsSection heading={say('settings.sessions')} text={say('settings.sessions.text')}>
        <SessionSettings />
      </SettingsSection>
      {may('manageHouse') && (
        <SettingsSection heading={say('settings.keys')} text={say('settings.keys.text')}>
          <ApiKeySettings />
        </SettingsSection>
      )}
      {may('changeSettings') && (
        <SettingsSection heading={say('settings.webhooks')} text={say('settings.webhooks.text')}>
          <div>
            <LinkButton to={paths.webhooks}>{say('settings.webhooks.open')}</LinkButton>
          </div>
        </SettingsSection>
      )}
      <SettingsSection heading={say('settings.data')} text={say('settings.data.text')}>
        <DataSettings />
      </SettingsSection>
    </div>
  );
}

function StockSettings() {
  const { say } = useWords();
  const may = useMay();
  const { data, error, isFetching, refetch } = useQuery(settingsQuery);
  if (!data && error && !isFetching) {
    return (
      <EmptyState text={say('settings.failed')} alert>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </EmptyState>
    );
  }
  const placeholder = <Skeleton width="min(24rem, 100%)" height="6rem" />;
  return (
    <>
      {may('changeSettings') && (
        <SettingsSection heading={say('settings.warehouse')} text={say('settings.warehouse.text')}>
          {data ? <WarehouseSettings settings={data} /> : placeholder}
        </SettingsSection>
      )}
      <SettingsSection heading={say('settings.alerts')} text={say('settings.alerts.text')}>
        {data ? <AlertSettings settings={data} /> : placeholder}
      </SettingsSection>
    </>
  );
}
