import { ACCOUNT_NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '@perfume/domain/accounts';
import { EMAIL_MAX, isEmail } from '@perfume/domain/email';
import { type FieldError, invalid, valid } from '@perfume/domain/field-errors';
import { houseRoles } from '@perfume/domain/houses';
import { personMark } from '@perfume/domain/person-mark';
import { isSafeLine, isUrl, isVisible } from '@perfume/domain/safe-text';
import { countCharacters, inForm, normalText } from '@perfume/domain/text';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { field, stops } from './fields.ts';

const endpoint = endpointsOf('Accounts and sessions');

/*
 * Our screens call these endpoints, and so can better-auth's own client: they have its paths, fields and responses.
 * The session is an HttpOnly cookie that no script can read. Where that client expects the cookie's token, it gets the
 * id of the session, which is enough to end the session and useless for anything else.
 *
 * Errors are problem+json, as everywhere. Any endpoint may return `invalid_input` (422, with `fields`) and `too_many`
 * (429, with `Retry-After`). In addition:
 *   sign up          password_too_common, password_is_personal (422, also under `fields.password`).
 *                    A taken address gets the same response as any other; its owner gets an email.
 *                    With an invitation: invalid_link (400: used, expired, withdrawn, or for another address),
 *                    already_verified (409: the address has an account; log in and accept the invitation)
 *   log in           invalid_email_or_password (401)
 *   second step      wrong_code (400), login_expired (401: enter the password again)
 *   passkeys         passkey_refused (400), last_way_in (409: set a password first)
 *   unlink provider  last_way_in
 *   social login     provider_not_found (404)
 *   reset            invalid_link (400: used, expired or not ours), password_too_common, password_is_personal
 *   change password  wrong_password (400), no_password (400: the user logs in through a provider; offer a reset)
 *   end sessions     proof_needed (403: log in again, or call /prove first)
 *   remove account   proof_needed, demo_account (409: the account of the demo is shared),
 *                    last_owner (409: others are still in a house whose only owner this is)
 *   verify           invalid_link (400: used in another browser, expired or not ours)
 *   resend           already_verified (409), email_mismatch (403)
 *
 * `callbackURL` and `returnTo` are addresses of this site: a path with query and hash, with or without our origin.
 * Anything else counts as '/'. Links in emails have their token in the fragment, which browsers send to no server.
 * Browsers are sent back to:
 *   verification link → /verify-email#token=…&returnTo=…. Opening it changes nothing, because mail scanners open links
 *                       too: a button on the page sends the token
 *   reset link        → redirectTo#token=…, by default /reset-password. The page sends the token with the new
 *                       password; then the user logs in
 *   social login      → callbackURL, or newUserCallbackURL for a new user. If the login is refused: errorCallbackURL,
 *                       by default /login, with ?error=account_not_linked | access_denied | email_not_found | …
 */

/** A user, as the server knows them. */
export type User = { id: string; email: string; name: string; image: string | null; emailVerified: boolean };

/** The same user in a response: with the spec's names, and the fields that better-auth's client expects. */
export type WireUser = z.output<typeof userSchema>;

/** `oidc` is the OpenID Connect provider of the configuration; its name is in the page's boot data. */
export const providerIds = ['github', 'google', 'oidc'] as const;
export type ProviderId = (typeof providerIds)[number];

/** The person behind an entry of the history. */
export const wireActor = z.strictObject({
  id: z.string(),
  /** The name at that time; `Former member` if the account was removed since. */
  name: z.string(),
  isFormerMember: z.boolean(),
  /** Six characters that belong to the account, whatever its name is. */
  mark: z.string(),
});
export type WireActor = z.output<typeof wireActor>;

/** `name` is null if the account was removed. */
export function toWireActor(id: string, name: string | null): WireActor {
  return { id, name: name ?? 'Former member', isFormerMember: name === null, mark: personMark(id) };
}

const RETURN_MAX = 2_048;

const userSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.nullable(z.string()),
  emailVerified: z.boolean(),
  /** The same as `name` and `image`, under the spec's names. */
  displayName: z.string(),
  photoURL: z.nullable(z.string()),
  /** Every way this user can log in. */
  providers: z.array(z.enum(['password', ...providerIds])),
  createdAt: z.string(),
  updatedAt: z.string(),
  /**
   * With `ACCESS=houses`, the house that the user works in and their role there: null if they have left all houses,
   * absent before their first one.
   */
  house: z.optional(z.nullable(z.strictObject({ id: z.string(), name: z.string(), role: z.enum(houseRoles) }))),
});

const sessionSchema = z.strictObject({
  id: z.string(),
  /** The same as `id`. It can end the session and nothing else. */
  token: z.string(),
  userId: z.string(),
  /** The browser's name; null if it is unknown. */
  userAgent: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
});
export type WireSession = z.output<typeof sessionSchema>;

/** Accounts have plain ASCII addresses, so that no two look alike. */
const plainEmail = z.email();
export const emailField = field(
  (input) => {
    if (typeof input !== 'string' || input.trim() === '') return invalid({ code: 'required' });
    if (input.length > EMAIL_MAX * 4) return invalid({ code: 'not_an_email' });
    const text = inForm('NFKC', input).trim();
    return isEmail(text) && plainEmail.safeParse(text).success ? valid(text) : invalid({ code: 'not_an_email' });
  },
  { type: 'string', format: 'email', maxLength: 254 },
);

/** One line of visible text: the name of a person or of a key. */
export const nameField = field(
  (input) => {
    const given = typeof input === 'string' ? input : '';
    if (given.length > ACCOUNT_NAME_MAX * 4) return invalid({ code: 'too_long', max: ACCOUNT_NAME_MAX });
    const text = normalText(given);
    if (!isVisible(text)) return invalid({ code: 'required' });
    if (countCharacters(text) > ACCOUNT_NAME_MAX) return invalid({ code: 'too_long', max: ACCOUNT_NAME_MAX });
    return isSafeLine(text) ? valid(text) : invalid({ code: 'hidden_characters' });
  },
  { type: 'string', minLength: 1, maxLength: ACCOUNT_NAME_MAX },
);

const notHttps: FieldError = { code: 'not_https' };
/** The address of a profile picture. */
export const imageField = z.string().check(
  z.maxLength(2_048, stops),
  z.refine((text) => text.startsWith('https://') && isSafeLine(text) && isUrl(text), { params: notHttps }),
);

/** The token in the link of an invitation into a house. */
export const invitationToken = z.string().check(z.maxLength(200));

const newPasswordField = field(
  (input) => {
    if (typeof input !== 'string' || input === '') return invalid({ code: 'required' });
    if (countCharacters(input) < PASSWORD_MIN) return invalid({ code: 'password_too_short', min: PASSWORD_MIN });
    return input.length > PASSWORD_MAX ? invalid({ code: 'too_long', max: PASSWORD_MAX }) : valid(input);
  },
  { type: 'string', minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX },
);

const password = z.string().check(z.minLength(1), z.maxLength(PASSWORD_MAX));
const returnAddress = z.optional(z.string().check(z.maxLength(RETURN_MAX)));
const returnAddresses = { callbackURL: returnAddress, returnTo: returnAddress };
const flag = z.optional(z.boolean());
const signedIn = z.strictObject({ token: z.string(), user: userSchema });
const done = { 200: z.strictObject({ status: z.literal(true) }) };

/** Logs the new user in at once, unverified, and sends the verification email. */
export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/email',
  summary: 'Sign up with email and password; a verification link is sent by email',
  description:
    'With the token of an invitation into a house, for the invited address, no such email is sent: the address is verified, and the new user is a member of that house.',
  who: 'anyone',
  body: z.strictObject({
    name: nameField,
    email: emailField,
    password: newPasswordField,
    image: z.optional(imageField),
    rememberMe: flag,
    invitation: z.optional(invitationToken),
    ...returnAddresses,
  }),
  replies: { 200: signedIn },
  problems: [
    'invalid_input',
    'password_too_common',
    'password_is_personal',
    'sign_up_closed',
    'sign_up_refused',
    'invalid_link',
    'already_verified',
    'too_many',
  ],
});

/** If the request has a `callbackURL`, the response has a `url`, which better-auth's client opens by itself. */
export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in/email',
  summary: 'Log in with email and password',
  description:
    'For a user with two-step login the response is `twoFactorRedirect: true`, and `POST /api/auth/two-factor/verify-totp` finishes the login.',
  who: 'anyone',
  body: z.strictObject({ email: emailField, password, rememberMe: flag, callbackURL: returnAddress }),
  replies: {
    200: z.union([
      z.extend(signedIn, { redirect: z.boolean(), url: z.optional(z.string()) }),
      z.strictObject({ twoFactorRedirect: z.literal(true), twoFactorMethods: z.array(z.literal('totp')) }),
    ]),
  },
  problems: ['invalid_input', 'invalid_email_or_password', 'account_disabled', 'too_many'],
});

/** The browser has to open `url`; better-auth's client does so by itself if `redirect` is true. */
export const signInSocial = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in/social',
  summary: 'Start logging in through GitHub, Google or an OpenID Connect provider',
  who: 'anyone',
  body: z.strictObject({
    provider: z.enum(providerIds),
    ...returnAddresses,
    errorCallbackURL: returnAddress,
    newUserCallbackURL: returnAddress,
    disableRedirect: flag,
    rememberMe: flag,
  }),
  replies: { 200: z.strictObject({ url: z.string(), redirect: z.boolean() }) },
  problems: ['invalid_input', 'provider_not_found', 'too_many'],
});

/** The response is the same whether or not the account exists. */
export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/request-password-reset',
  summary: 'Email a link for setting a new password, if the address has an account',
  who: 'anyone',
  body: z.strictObject({ email: emailField, redirectTo: returnAddress }),
  replies: done,
  problems: ['invalid_input', 'too_many'],
});

/** A password reset ends all sessions of the account. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with the token from a reset email',
  who: 'anyone',
  body: z.strictObject({
    token: z.string().check(z.minLength(1), z.maxLength(200)),
    newPassword: newPasswordField,
  }),
  replies: done,
  problems: ['invalid_input', 'invalid_link', 'password_too_common', 'password_is_personal', 'too_many'],
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-verification-email',
  summary: 'Send the verification email again, to the logged-in user',
  who: 'signed-in',
  body: z.strictObject({ email: z.optional(emailField), ...returnAddresses }),
  replies: done,
  problems: ['invalid_input', 'email_mismatch', 'already_verified', 'too_many'],
});

const nothingGiven: FieldError = { code: 'required' };
export const updateUser = endpoint({
  method: 'POST',
  path: '/api/auth/update-user',
  summary: "Change the logged-in user's name, picture or both",
  who: 'signed-in',
  body: z.strictObject({ name: z.optional(nameField), image: z.optional(z.nullable(imageField)) }).check(
    z.refine(({ name, image }) => name !== undefined || image !== undefined, {
      params: nothingGiven,
      path: ['name'],
    }),
  ),
  replies: { 200: z.strictObject({ status: z.literal(true), user: userSchema }) },
  problems: ['invalid_input', 'too_many'],
});

/** A new password ends all other sessions, even if `revokeOtherSessions` is false: one of them may be a thief's. */
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/change-password',
  summary: "Change the logged-in user's password, and log out everywhere else",
  who: 'signed-in',
  body: z.strictObject({ currentPassword: password, newPassword: newPasswordField, revokeOtherSessions: flag }),
  replies: { 200: signedIn },
  problems: [
    'invalid_input',
    'wrong_password',
    'no_password',
    'password_too_common',
    'password_is_personal',
    'proof_needed',
    'too_many',
  ],
});

/**
 * Removes the account at once, on every server. What stays is the history, without the name, and the items with their
 * contact address. Not for an account whose address is not verified: somebody could sign up with another person's address
 * and remove the account again and again, and no link in that person's mail would work. Such accounts end by themselves.
 */
export const deleteUser = endpoint({
  method: 'POST',
  path: '/api/auth/delete-user',
  summary: "Remove the logged-in user's account; the history stays, without the name",
  who: 'user',
  proof: true,
  body: z.strictObject({ callbackURL: returnAddress }),
  replies: { 200: z.strictObject({ success: z.literal(true), message: z.string() }) },
  problems: ['invalid_input', 'demo_account', 'last_owner', 'too_many'],
});

/** Returns at most 100 sessions, newest first. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/api/auth/list-sessions',
  summary: 'The active sessions of the logged-in user',
  who: 'signed-in',
  replies: { 200: z.array(z.extend(sessionSchema, { isThisOne: z.boolean() })) },
  problems: [],
});

/** Ends the session at once. Ending a session that has already ended is not an error. */
export const revokeSession = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-session',
  summary: 'End one session of the logged-in user',
  who: 'signed-in',
  proof: true,
  body: z.strictObject({ token: z.string().check(z.maxLength(200)) }),
  replies: done,
  problems: ['invalid_input', 'too_many'],
});

export const revokeOtherSessions = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-other-sessions',
  summary: 'End all other sessions of the logged-in user',
  who: 'signed-in',
  proof: true,
  replies: done,
  problems: ['too_many'],
});

export const revokeSessions = endpoint({
  method: 'POST',
  path: '/api/auth/revoke-sessions',
  summary: 'End all sessions of the logged-in user, including this one',
  who: 'signed-in',
  proof: true,
  replies: done,
  problems: ['too_many'],
});

const hasHiddenCharacters: FieldError = { code: 'hidden_characters' };
const passkeyId = z.string().check(z.maxLength(1_400, stops), z.refine(isSafeLine, { params: hasHiddenCharacters }));
/** What the browser's `navigator.credentials` returned, in its JSON form. */
const passkeyResponse = z.looseObject({
  id: passkeyId,
  rawId: z.string().check(z.maxLength(1_400)),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()),
});
export type PasskeyResponse = z.output<typeof passkeyResponse>;
/** The options for `navigator.credentials`, in their JSON form. */
const passkeyOptionsReply = { 200: z.record(z.string(), z.unknown()) };
const code = z.string().check(z.minLength(1), z.maxLength(100));

const noProofGiven: FieldError = { code: 'required' };
/**
 * Proves again who the user is, for endpoints that need a fresh proof: a passkey, or the password. With two-step login
 * the password needs a code of the app or a recovery code. Users without a password log in again through their
 * provider: a new session is proven.
 */
export const prove = endpoint({
  method: 'POST',
  path: '/api/auth/prove',
  summary: 'Confirm that it is still the logged-in user',
  description:
    'Send a passkey, or the password; with two-step login also a code. For a passkey, call `POST /api/auth/passkey/generate-authenticate-options` first.',
  who: 'signed-in',
  body: z
    .strictObject({
      password: z.optional(password),
      code: z.optional(code),
      passkey: z.optional(passkeyResponse),
    })
    .check(
      z.refine(({ password, passkey }) => password !== undefined || passkey !== undefined, {
        params: noProofGiven,
        path: ['password'],
      }),
    ),
  replies: done,
  problems: ['invalid_input', 'wrong_password', 'wrong_code', 'no_password', 'passkey_refused', 'too_many'],
});

/** A user's two-step login and passkeys. */
export const secondSteps = endpoint({
  method: 'GET',
  path: '/api/auth/second-steps',
  summary: 'Whether two-step login is on, and the passkeys of the logged-in user',
  who: 'signed-in',
  replies: {
    200: z.strictObject({
      twoStep: z.boolean(),
      recoveryCodesLeft: z.int(),
      passkeys: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          createdAt: z.string(),
          lastUsedAt: z.nullable(z.string()),
        }),
      ),
    }),
  },
  problems: [],
});

/** better-auth's client sends the password here; the fresh proof replaces it. */
const unusedPassword = z.strictObject({ password: z.optional(password) });

/** Nothing is on until `two-factor/confirm`. */
export const enableTwoStep = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/enable',
  summary: 'Start to set up two-step login: returns the secret for the authenticator app, and its QR code as SVG',
  who: 'user',
  proof: true,
  body: unusedPassword,
  replies: { 200: z.strictObject({ totpURI: z.string(), secret: z.string(), qrCode: z.string() }) },
  problems: ['invalid_input', 'no_password', 'two_step_on', 'too_many'],
});

const backupCodes = z.array(z.string());
/** The recovery codes are shown only here. */
export const confirmTwoStep = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/confirm',
  summary: 'Turn two-step login on with a code of the authenticator app; returns ten recovery codes',
  who: 'user',
  proof: true,
  body: z.strictObject({ code }),
  replies: { 200: z.strictObject({ backupCodes }) },
  problems: ['invalid_input', 'wrong_code', 'two_step_on', 'too_many'],
});

export const disableTwoStep = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/disable',
  summary: 'Turn two-step login off',
  who: 'user',
  proof: true,
  body: unusedPassword,
  replies: done,
  problems: ['invalid_input', 'too_many'],
});

export const newRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/generate-backup-codes',
  summary: 'Make ten new recovery codes; the old ones end',
  who: 'user',
  proof: true,
  body: unusedPassword,
  replies: { 200: z.strictObject({ status: z.literal(true), backupCodes }) },
  problems: ['invalid_input', 'two_step_off', 'too_many'],
});

/** The cookie of the first step, from `sign-in/email`, is valid for ten minutes and opens nothing else. */
export const verifyTotp = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/verify-totp',
  summary: 'Finish logging in with a code of the authenticator app',
  who: 'anyone',
  body: z.strictObject({ code, trustDevice: flag }),
  replies: { 200: signedIn },
  problems: ['invalid_input', 'wrong_code', 'login_expired', 'account_disabled', 'too_many'],
});

export const verifyBackupCode = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/verify-backup-code',
  summary: 'Finish logging in with a recovery code, which works once',
  who: 'anyone',
  body: z.strictObject({ code, trustDevice: flag }),
  replies: { 200: signedIn },
  problems: ['invalid_input', 'wrong_code', 'login_expired', 'account_disabled', 'too_many'],
});

export const passkeyOptionsToAdd = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/generate-register-options',
  summary: 'Start to add a passkey: returns the options for the browser',
  who: 'user',
  proof: true,
  replies: passkeyOptionsReply,
  problems: ['too_many'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/verify-registration',
  summary: 'Add the passkey that the browser made',
  who: 'user',
  proof: true,
  body: z.strictObject({ response: passkeyResponse, name: nameField }),
  replies: done,
  problems: ['invalid_input', 'passkey_refused', 'too_many_passkeys', 'too_many'],
});

export const renamePasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/update-passkey',
  summary: 'Rename a passkey of the logged-in user',
  who: 'user',
  proof: true,
  body: z.strictObject({ id: passkeyId, name: nameField }),
  replies: done,
  problems: ['invalid_input', 'passkey_not_found', 'too_many'],
});

/**
 * Ends all other sessions, because they may have been opened with the passkey. Refused if nothing else logs the user in.
 * Removing a passkey that does not exist is not an error.
 */
export const removePasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/delete-passkey',
  summary: 'Remove a passkey of the logged-in user',
  who: 'user',
  proof: true,
  body: z.strictObject({ id: passkeyId }),
  replies: done,
  problems: ['invalid_input', 'last_way_in', 'too_many'],
});

/**
 * Ends all other sessions, because they may have been opened through the provider. Refused if nothing else logs the user
 * in. Unlinking a provider that is not linked is not an error. A later login with the provider links it again if it has
 * verified the same address.
 */
export const unlinkAccount = endpoint({
  method: 'POST',
  path: '/api/auth/unlink-account',
  summary: 'Unlink a login provider from the account of the logged-in user',
  who: 'user',
  proof: true,
  body: z.strictObject({ providerId: z.enum(providerIds) }),
  replies: { 200: z.strictObject({ status: z.literal(true), user: userSchema }) },
  problems: ['invalid_input', 'last_way_in', 'too_many'],
});

/** The same for everyone: it does not reveal who has an account. */
export const passkeyOptions = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/generate-authenticate-options',
  summary: 'Start to log in, or to prove, with a passkey: returns the options for the browser',
  who: 'anyone',
  replies: passkeyOptionsReply,
  problems: ['too_many'],
});

export const signInPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/verify-authentication',
  summary: 'Log in with a passkey',
  who: 'anyone',
  body: z.strictObject({ response: passkeyResponse, rememberMe: flag }),
  replies: { 200: signedIn },
  problems: ['invalid_input', 'passkey_refused', 'account_disabled', 'too_many'],
});

/** Logging out twice is not an error. */
export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out',
  summary: 'Log out; the session cookie and all access tokens made with it become invalid at once',
  who: 'anyone',
  replies: { 200: z.strictObject({ success: z.literal(true) }) },
  problems: [],
});

/**
 * Tells a page that has been open for a while who is logged in. A page that was just loaded has this in its boot data.
 */
export const getSession = endpoint({
  method: 'GET',
  path: '/api/auth/get-session',
  summary: 'The current session and its user, or `null`',
  who: 'anyone',
  replies: { 200: z.nullable(z.strictObject({ session: sessionSchema, user: userSchema })) },
  problems: [],
});

const verificationToken = z.string().check(z.maxLength(2_000));

/**
 * In a browser that is logged in to the account, its session stays and all others end. In any other browser, all
 * sessions, the password and linked providers are removed, because someone else may have chosen them. `resetToken`
 * then sets a new password, once and within an hour; otherwise it is null.
 */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  summary: 'Verify an email address with the token from a verification email',
  who: 'anyone',
  body: z.strictObject({ token: verificationToken }),
  replies: { 200: z.strictObject({ status: z.literal(true), resetToken: z.nullable(z.string()) }) },
  problems: ['invalid_input', 'invalid_link', 'too_many'],
});

/** Links of earlier versions and better-auth's client come here. The response redirects to the page; nothing changes. */
export const openVerificationLink = endpoint({
  method: 'GET',
  path: '/api/auth/verify-email',
  summary: 'Open the page that verifies an email address',
  who: 'anyone',
  query: z.strictObject({ token: verificationToken, ...returnAddresses }),
  replies: { 302: z.unknown() },
  problems: ['invalid_query'],
});

export const socialCallback = endpoint({
  method: 'GET',
  path: '/api/auth/callback/:provider',
  summary: 'Finish logging in: the address to which a provider sends the browser',
  who: 'anyone',
  replies: { 302: z.unknown() },
  problems: ['too_many'],
});

export const login = endpoint({
  method: 'POST',
  path: '/login',
  summary: 'Get an access token for `GET /my-items`, for the logged-in user',
  who: 'user',
  body: z.strictObject({ email: z.string().check(z.maxLength(254)) }),
  replies: { 200: z.strictObject({ accessToken: z.string(), expiresAt: z.string() }) },
  problems: ['invalid_input', 'email_mismatch'],
});
