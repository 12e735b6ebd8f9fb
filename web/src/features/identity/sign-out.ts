import { postSignOut } from '../../api/session.ts';
import { paths } from '../../paths.ts';

/** Ends the sign-in and starts the page anew, so nothing of the person stays in memory. False when the server did not agree. */
export async function signOut(): Promise<boolean> {
  try {
    await postSignOut();
  } catch {
    return false;
  }
  location.assign(paths.home);
  return true;
}
