import { onDemand } from '../../lazy/on-demand.tsx';
import { BellButton } from './bell-button.tsx';
import { useNewAlerts } from './use-new-alerts.ts';

const Panel = onDemand('dialog', async () => (await import('./alert-panel.tsx')).AlertPanel);

export function Bell() {
  useNewAlerts();
  return <Panel button={(trigger) => <BellButton {...trigger} />} />;
}
