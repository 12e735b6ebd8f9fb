import { Navigate, Outlet, useLocation } from 'react-router';
import { useBoot } from '../api/boot.ts';
import { page } from '../lazy/page.tsx';
import { loginFrom, paths } from '../paths.ts';

const VerifyGate = page({
  source: 'src/features/identity/verify-gate.tsx',
  load: async () => (await import('../features/identity/verify-gate.tsx')).VerifyGate,
  words: 'identity',
  title: 'title.verify',
});

/**
 * Redirects signed-out users to the login page, which remembers where they came from. Users whose email address is not
 * verified see a request to verify it instead of the page, and those without a house the form to create one.
 */
export function RequireUser() {
  const { user } = useBoot();
  const location = useLocation();
  if (user === null) return <Navigate to={loginFrom(location)} replace />;
  if (!user.emailVerified) return <VerifyGate />;
  if (user.house === null && location.pathname !== paths.settings) return <Navigate to={paths.settings} replace />;
  return <Outlet />;
}
