import { Navigate, Outlet, useLocation } from 'react-router';
import { useBoot } from '../api/boot.ts';
import { page } from '../lazy/page.tsx';
import { loginFrom } from '../paths.ts';

const VerifyGate = page({
  source: 'src/features/identity/verify-gate.tsx',
  load: async () => (await import('../features/identity/verify-gate.tsx')).VerifyGate,
  words: 'identity',
  title: 'title.verify',
});

/**
 * Redirects signed-out users to the login page, which remembers where they came from. Users whose email address is not
 * verified see a request to verify it instead of the page.
 */
export function RequireUser() {
  const { user } = useBoot();
  const location = useLocation();
  if (user === null) return <Navigate to={loginFrom(location)} replace />;
  return user.emailVerified ? <Outlet /> : <VerifyGate />;
}
