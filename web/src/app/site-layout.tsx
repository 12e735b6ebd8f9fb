import { type ReactNode, Suspense } from 'react';
import section from '../features/site/section.module.css';
import { SiteFooter } from '../features/site/site-footer.tsx';
import { SiteHeader } from '../features/site/site-header.tsx';
import { isDashboardPath } from '../paths.ts';
import { LoadingView } from '../ui/loading-view.tsx';
import { useLocation } from '../ui/router.tsx';
import { useWords } from '../words/words.tsx';
import { PageErrorBoundary } from './page-error-boundary.tsx';
import styles from './site-layout.module.css';

/**
 * The layout of the public pages: header, page, footer. Any path containing /dashboard has neither header nor footer.
 */
export function SiteLayout({ children }: { children: ReactNode }) {
  const { say } = useWords();
  const { pathname } = useLocation();
  const bare = isDashboardPath(pathname);
  const page = (
    <PageErrorBoundary>
      <Suspense fallback={<LoadingView text={say('Loading...')} stay={say('loading.stay')} />}>{children}</Suspense>
    </PageErrorBoundary>
  );
  if (bare) return page;
  return (
    <div className={styles.site}>
      <a href="#content" className={styles.skip}>
        {say('skip.toContent')}
      </a>
      <div className={section.page}>
        <SiteHeader />
      </div>
      <main id="content" tabIndex={-1} className={styles.content}>
        {page}
      </main>
      <div className={section.page}>
        <SiteFooter />
      </div>
    </div>
  );
}
