import { Navigate, Outlet, useLocation } from 'react-router';
import { useBoot } from '../api/boot.ts';
import { page } from '../parts/page.tsx';
import { loginFrom } from '../paths.ts';

const VerifyGate = page({
  source: 'src/features/identity/verify-gate.tsx',
  load: async () => (await import('../features/identity/verify-gate.tsx')).VerifyGate,
  words: 'identity',
  title: 'title.verify',
});

/**
 * Signed-out people go to the login page, which remembers the exact page they came from. Those whose address is not
 * verified are stopped at the gate.
 */
export function RequireUser() {
  const { user } = useBoot();
  const location = useLocation();
  if (user === null) return <Navigate to={loginFrom(location)} replace />;
  return user.emailVerified ? <Outlet /> : <VerifyGate />;
}
