import type { APIRequestContext } from '@playwright/test';

/** Returns the parameters of a link from an email, which are in its fragment. */
export function parametersOf(link: string): URLSearchParams {
  return new URLSearchParams(new URL(link).hash.slice(1));
}

/** Verifies an address over HTTP, as the button on the page of the link does. */
export async function verify(request: APIRequestContext, link: string): Promise<void> {
  await request.post('/api/auth/verify-email', { data: { token: parametersOf(link).get('token') } });
}
