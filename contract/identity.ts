import { isEmail } from '@perfume/domain/email';
import { countCharacters, isSafeLine, isVisible, normalText } from '@perfume/domain/text';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { field } from './fields.ts';

const endpoint = endpointsOf('Signing in');

/*
 * What the screens call, and better-auth's own client as well: paths, fields and answers are those of that client.
 * All bodies and answers are JSON; the sign-in itself is an HttpOnly cookie that no script sees. Where that client
 * expects the token of the cookie it gets the id of the sign-in, which is enough to end it and opens nothing.
 *
 * Errors are problem+json as everywhere; those of /api/auth carry `message` beside `detail`: the provider's words, to be
 * shown as they are. Codes to expect, besides `invalid_input` (422, with `fields`) and `too_many` (429, `Retry-After`):
 *   sign-in          invalid_email_or_password (401)
 *   sign-up          password_too_common, password_is_personal (422, also under `fields.password`).
 *                    An address that is taken answers like any other; its owner is told by mail
 *   social start     provider_not_found (404)
 *   reset            invalid_link (400: used, too old or not ours), password_too_common, password_is_personal
 *   change password  wrong_password (400), no_password (400: signs in through a provider; offer the reset mail)
 *   resend           already_verified (409), email_mismatch (403)
 *
 * `callbackURL`, or `returnTo`, is an address of ours: a path with query and hash, or the same with our origin before it.
 * Anything else is taken as '/'. Where browsers come back to:
 *   verification mail → callbackURL, or callbackURL?error=invalid_link. Whoever clicks while signed in stays signed in;
 *                       all other sign-ins of the account end, and so does one's own when the mail is opened elsewhere
 *   reset mail        → redirectTo?token=…, by default /reset-password ; send the token with the new password, then
 *                       sign in with it
 *   social sign-in    → callbackURL, or newUserCallbackURL for a newcomer; after a refusal errorCallbackURL, by default
 *                       /login, with ?error=account_not_linked | access_denied | email_not_found | …
 */

/** A person, as identity proves them. */
export type User = { id: string; email: string; name: string; image: string | null; emailVerified: boolean };

/** The same person on the wire: with the spec's names, and what better-auth's client knows of a user. */
export type WireUser = z.output<typeof userSchema>;

/** `oidc` is any OpenID Connect provider by configuration; its name is in the page's boot data. */
export const providerIds = ['github', 'google', 'oidc'] as const;
export type ProviderId = (typeof providerIds)[number];

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
const NAME_MAX = 100;
const RETURN_MAX = 2_048;
const required = 'This field is required';

const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  emailVerified: z.boolean(),
  /** The same as `name` and `image`, under the names the spec has. */
  displayName: z.string(),
  photoURL: z.nullable(z.string()),
  /** Every way this person can sign in. */
  providers: z.array(z.enum(['password', ...providerIds])),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const sessionSchema = z.strictObject({
  id: z.string(),
  /** The same as `id`: it ends the sign-in, and opens nothing. */
  token: z.string(),
  userId: z.string(),
  /** The browser's name; null when it is not known. */
  userAgent: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
});
export type WireSession = z.output<typeof sessionSchema>;

/** Accounts have plain ASCII addresses: no two of them look alike. */
const plainEmail = z.email();
const emailField = field(
  (input) => {
    if (typeof input !== 'string' || input.trim() === '') return { ok: false, message: required };
    const text = input.normalize('NFKC').trim();
    return isEmail(text) && plainEmail.safeParse(text).success
      ? { ok: true, value: text }
      : { ok: false, message: 'Enter a valid email address' };
  },
  { type: 'string', format: 'email', maxLength: 254 },
);

const nameField = field(
  (input) => {
    const text = typeof input === 'string' ? normalText(input) : '';
    if (!isVisible(text)) return { ok: false, message: required };
    if (countCharacters(text) > NAME_MAX) return { ok: false, message: `At most ${NAME_MAX} characters` };
    return isSafeLine(text) ? { ok: true, value: text } : { ok: false, message: 'Enter one line of plain text' };
  },
  { type: 'string', minLength: 1, maxLength: NAME_MAX },
);

/** The address of a profile picture. */
export const imageField = z.string().check(
  z.maxLength(2_048, 'Too long'),
  z.refine((text) => text.startsWith('https://') && URL.canParse(text), 'Enter an https address'),
);

const newPasswordField = field(
  (input) => {
    if (typeof input !== 'string' || input === '') return { ok: false, message: required };
    if (countCharacters(input) < PASSWORD_MIN) return { ok: false, message: `Use at least ${PASSWORD_MIN} characters` };
    if (input.length > PASSWORD_MAX) return { ok: false, message: `At most ${PASSWORD_MAX} characters` };
    return { ok: true, value: input };
  },
  { type: 'string', minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX },
);

const password = z.string(required).check(z.minLength(1, required), z.maxLength(PASSWORD_MAX, 'Too long'));
const ownAddress = z.optional(z.string().check(z.maxLength(RETURN_MAX, 'Too long')));
const wayBack = { callbackURL: ownAddress, returnTo: ownAddress };
const flag = z.optional(z.boolean());
const signedIn = z.strictObject({ token: z.string(), user: userSchema });
const done = { 200: z.strictObject({ status: z.literal(true) }) };

/** Signs in at once, unverified, and sends the verification mail. */
export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/email',
  summary: 'Opens an account with e-mail and password; the address is verified by mail',
  who: 'anyone',
  body: z.strictObject({
    name: nameField,
    email: emailField,
    password: newPasswordField,
    image: z.optional(imageField),
    rememberMe: flag,
    ...wayBack,
  }),
  replies: { 200: signedIn },
  problems: ['invalid_input', 'password_too_common', 'password_is_personal', 'too_many'],
});

/** With a `callbackURL` the answer says where to go: better-auth's client then goes there by itself. */
export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in/email',
  summary: 'Signs in with e-mail and password',
  who: 'anyone',
  body: z.strictObject({ email: emailField, password, rememberMe: flag, callbackURL: ownAddress }),
  replies: { 200: z.extend(signedIn, { redirect: z.boolean(), url: z.optional(z.string()) }) },
  problems: ['invalid_input', 'invalid_email_or_password', 'too_many'],
});

/** The answer's `url` is where to send the browser; better-auth's client goes there by itself if `redirect` is true. */
export const signInSocial = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in/social',
  summary: 'Begins a sign-in with another provider',
  who: 'anyone',
  body: z.strictObject({
    provider: z.enum(providerIds),
    ...wayBack,
    errorCallbackURL: ownAddress,
    newUserCallbackURL: ownAddress,
    disableRedirect: flag,
  }),
  replies: { 200: z.strictObject({ url: z.string(), redirect: z.boolean() }) },
  problems: ['invalid_input', 'provider_not_found', 'too_many'],
});

/** Says the same whether or not there is such an account. */
export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/request-password-reset',
  summary: 'Sends a mail with a link to set a new password, if the address has an account',
  who: 'anyone',
  body: z.strictObject({ email: emailField, redirectTo: ownAddress }),
  replies: done,
  problems: ['invalid_input', 'too_many'],
});

/** Ends every sign-in of the account. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Sets a new password with the token of a reset mail',
  who: 'anyone',
  body: z.strictObject({
    token: z.string(required).check(z.minLength(1, required), z.maxLength(200, 'Too long')),
    newPassword: newPasswordField,
  }),
  replies: done,
  problems: ['invalid_input', 'invalid_link', 'password_too_common', 'password_is_personal', 'too_many'],
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-verification-email',
  summary: 'Sends the verification mail again, to the address that is signed in',
  who: 'signed-in',
  body: z.strictObject({ email: z.optional(emailField), ...wayBack }),
  replies: done,
  problems: ['invalid_input', 'email_mismatch', 'already_verified', 'too_many'],
});

export const updateUser = endpoint({
  method: 'POST',
  path: '/api/auth/update-user',
  summary: "Changes the signed-in person's name, picture or both",
  who: 'signed-in',
  body: z
    .strictObject({ name: z.optional(nameField), image: z.optional(z.nullable(imageField)) })
    .check(
      z.refine(({ name, image }) => name !== undefined || image !== undefined, { error: required, path: ['name'] }),
    ),
  replies: { 200: z.strictObject({ status: z.literal(true), user: userSchema }) },
  problems: ['invalid_input', 'too_many'],
});

/** Ends every other sign-in of the account, also when `revokeOtherSessions` is false: one of them may be a thief's. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/change-password',
  summary: "Changes the signed-in person's password",
  who: 'signed-in',
  body: z.strictObject({ currentPassword: password, newPassword: newPasswordField, revokeOtherSessions: flag }),
  replies: { 200: signedIn },
  problems: [
    'invalid_input',
    'wrong_password',
    'no_password',
    'password_too_common',
    'password_is_personal',
    'too_many',
  ],
});

/** The latest first, at most 100. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/api/auth/list-sessions',
  summary: 'Where the signed-in person is signed in',
  who: 'signed-in',
  replies: { 200: z.array(z.extend(sessionSchema, { isThisOne: z.boolean() })) },
  problems: [],
});

/** Takes effect at once. Fine to call for one that has ended already. */
export const revokeSession = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-session',
  summary: 'Ends one sign-in of the signed-in person',
  who: 'signed-in',
  body: z.strictObject({ token: z.string(required).check(z.maxLength(200, 'Too long')) }),
  replies: done,
  problems: ['invalid_input', 'too_many'],
});

export const revokeOtherSessions = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-other-sessions',
  summary: 'Ends every sign-in of the signed-in person but this one',
  who: 'signed-in',
  replies: done,
  problems: ['too_many'],
});

export const revokeSessions = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-sessions',
  summary: 'Ends every sign-in of the signed-in person, this one as well',
  who: 'signed-in',
  replies: done,
  problems: ['too_many'],
});

/** Fine to call when signed out already. */
export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out',
  summary: 'Signs out: the cookie and every access token made from it end at once',
  who: 'anyone',
  replies: { 200: z.strictObject({ success: z.literal(true) }) },
  problems: [],
});

/** For a page that has been open long; a page just loaded has the answer in its boot data. */
export const getSession = endpoint({
  method: 'GET',
  path: '/api/auth/get-session',
  summary: 'Who is signed in here, and since when; `null` when nobody is',
  who: 'anyone',
  replies: { 200: z.nullable(z.strictObject({ session: sessionSchema, user: userSchema })) },
  problems: [],
});

/** The link of the verification mail; for browsers, which it sends on. */
export const verifyEmail = endpoint({
  method: 'GET',
  path: '/api/auth/verify-email',
  summary: 'The link of a verification mail',
  who: 'anyone',
  query: z.strictObject({ token: z.string().check(z.maxLength(2_000)), returnTo: ownAddress }),
  replies: { 302: z.unknown() },
  problems: ['invalid_query', 'too_many'],
});

/** Where a provider sends the browser back to. */
export const socialCallback = endpoint({
  method: 'GET',
  path: '/api/auth/callback/:provider',
  summary: 'Where another provider sends the browser back to',
  who: 'anyone',
  replies: { 302: z.unknown() },
  problems: ['too_many'],
});

export const login = endpoint({
  method: 'POST',
  path: '/login',
  summary: "An access token for the signed-in owner of the address; it opens the owner's own list and nothing else",
  who: 'user',
  body: z.strictObject({ email: z.string('This field is required').check(z.maxLength(254, 'At most 254 characters')) }),
  replies: { 200: z.strictObject({ accessToken: z.string(), expiresAt: z.string() }) },
  problems: ['invalid_input', 'email_mismatch'],
});
