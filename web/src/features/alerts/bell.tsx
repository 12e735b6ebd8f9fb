import { onDemand } from '../../parts/on-demand.tsx';
import { BellButton } from './bell-button.tsx';
import { useAlertNews } from './use-alert-news.ts';

const Panel = onDemand('dialog', async () => (await import('./alert-panel.tsx')).AlertPanel);

export function Bell() {
  useAlertNews();
  return <Panel button={(trigger) => <BellButton {...trigger} />} />;
}
