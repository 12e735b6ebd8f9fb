import { emailDomain } from '@perfume/domain/email';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { isInvited } from './invitations.store.ts';

/**
 * Returns why an address may not open a new account, or null if it may. Whether the address already has an account
 * makes no difference, so a refusal does not reveal it.
 */
export async function signUpRefusal(
  { signUp, signUpDomains }: Pick<Config, 'signUp' | 'signUpDomains'>,
  db: Db,
  email: string,
  now: number,
): Promise<'sign_up_closed' | 'sign_up_refused' | null> {
  if (signUp === 'closed') return 'sign_up_closed';
  if (!isDomainAllowed(signUpDomains, email)) return 'sign_up_refused';
  return signUp === 'open' || (await isInvited(db, email, now)) ? null : 'sign_up_refused';
}

/** Whether the domain of the address is one of `domains`. Without domains, every address is allowed. */
export function isDomainAllowed(domains: string[], email: string): boolean {
  return domains.length === 0 || domains.includes(emailDomain(email));
}
