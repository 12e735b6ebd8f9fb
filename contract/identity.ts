import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** A person, as identity proves them. */
export type User = { id: string; email: string; name: string; image: string | null; emailVerified: boolean };

export const login = endpoint({
  method: 'POST',
  path: '/login',
  summary: "An access token for the signed-in owner of the address; it opens the owner's own list and nothing else",
  who: 'user',
  body: z.strictObject({ email: z.string('This field is required').check(z.maxLength(254, 'At most 254 characters')) }),
  replies: { 200: z.strictObject({ accessToken: z.string(), expiresAt: z.string() }) },
  problems: ['invalid_input', 'email_mismatch'],
});
