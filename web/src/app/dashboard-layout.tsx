import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { queryClient } from '../api/query-client.ts';
import { LazyBell } from '../features/alerts/lazy-bell.tsx';
import { useSendEntries } from '../features/counts/entry-outbox.ts';
import { LazyProofDialog } from '../features/identity/lazy-proof-dialog.tsx';
import { ConnectionStatus } from '../features/shell/connection-status.tsx';
import { OpenScanned } from '../features/shell/open-scanned.tsx';
import { preloadOverlays, useOverlay } from '../features/shell/overlay.tsx';
import { ShellHeader } from '../features/shell/shell-header.tsx';
import { useShellShortcuts } from '../features/shell/shell-shortcuts.ts';
import { Sidebar } from '../features/shell/sidebar.tsx';
import { useSidebar } from '../features/shell/sidebar-state.ts';
import { UndoShortcut } from '../features/shell/undo-shortcut.tsx';
import { NotFound } from '../features/site/not-found.ts';
import { PreferenceMenus } from '../features/site/preference-menus.tsx';
import { useLiveViewCounts } from '../features/views/view-count.ts';
import { pageAt } from '../lazy/page.tsx';
import { useConnection, useLiveItems } from '../live/live-items.ts';
import { useOffline } from '../live/use-offline.ts';
import { paths } from '../paths.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { LoadingView } from '../ui/loading-view.tsx';
import { matchPath, Navigate, useLocation } from '../ui/router.tsx';
import { useWords } from '../words/words.tsx';
import styles from './dashboard-layout.module.css';
import { dashboardPages } from './dashboard-pages.ts';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import site from './site-layout.module.css';

/** Sidebar, header and page of the dashboard. Sidebar and header stay while a page loads or when it throws. */
export function DashboardLayout() {
  useLiveItems();
  useLiveViewCounts();
  useOffline();
  useSendEntries();
  const { say } = useWords();
  const connection = useConnection();
  const sidebar = useSidebar();
  const { overlay, openPalette, openHelp } = useOverlay();
  useShellShortcuts({ openPalette, openHelp, sidebar });
  return (
    <QueryClientProvider client={queryClient}>
      {/* Before the page: of two that listen for a scanner, the one mounted last is called. */}
      <OpenScanned />
      <div className={styles.shell}>
        <a href="#content" className={site.skip}>
          {say('skip.toContent')}
        </a>
        <Sidebar state={sidebar} tools={<PreferenceMenus />} />
        <ShellHeader
          tools={<PreferenceMenus />}
          bell={<Bell />}
          openPalette={openPalette}
          preloadPalette={preloadOverlays}
        />
        <ConnectionStatus />
        <main id="content" tabIndex={-1} className={styles.content}>
          <PageErrorBoundary resetKey={connection} onReset={dropInactiveQueries}>
            <Suspense fallback={<LoadingView text={say('Loading...')} stay={say('loading.stay')} />}>
              <DashboardPage />
            </Suspense>
          </PageErrorBoundary>
        </main>
      </div>
      <UndoShortcut />
      <LazyProofDialog />
      {overlay}
    </QueryClientProvider>
  );
}

function DashboardPage() {
  const { pathname } = useLocation();
  if (matchPath(paths.dashboard, pathname)) return <Navigate to={paths.adminHome} />;
  // Sidebar links of the spec whose page is not built yet show the not-found page.
  const Shown = pageAt(dashboardPages, pathname) ?? NotFound;
  return <Shown />;
}

/** Drops cached data that is not on screen: after a page threw, its data may be the cause. */
function dropInactiveQueries(): void {
  queryClient.removeQueries({ type: 'inactive' });
}

/** The bell with the alerts. If it throws, the page works without it. */
function Bell() {
  const { key } = useLocation();
  return (
    <ErrorBoundary resetKey={key}>
      <LazyBell />
    </ErrorBoundary>
  );
}
