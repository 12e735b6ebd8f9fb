/**
 * Everything that can be refused, with its status and what a person is told.
 * Clients switch on the code; the words may change.
 */
export const problems = {
  malformed: { status: 400, detail: 'The request could not be read.' },
  invalid_query: { status: 400, detail: 'The address carries a parameter that is not valid.' },
  invalid_header: { status: 400, detail: 'A header of the request is not valid.' },
  invalid_link: {
    status: 400,
    detail: 'This link has been used, is too old, or is not one of ours. Ask for a new one.',
  },
  wrong_password: { status: 400, detail: 'The current password is not right.' },
  no_password: { status: 400, detail: 'This account signs in through a provider and has no password yet.' },
  invalid_email_or_password: { status: 401, detail: 'Invalid email or password' },
  not_signed_in: { status: 401, detail: 'Sign in first.' },
  invalid_token: { status: 401, detail: 'The access token is missing, expired or not valid.' },
  cross_site: { status: 403, detail: 'Changes are only accepted from this site.' },
  email_not_verified: { status: 403, detail: 'Verify your e-mail address first.' },
  not_the_owner: {
    status: 403,
    detail: 'Here an item is added and changed only by the person whose e-mail address stands on it.',
  },
  email_mismatch: { status: 403, detail: 'That e-mail address is not the one signed in.' },
  not_found: { status: 404, detail: 'There is nothing here.' },
  provider_not_found: { status: 404, detail: 'Signing in with that provider is not set up here.' },
  item_not_found: { status: 404, detail: 'There is no such item.' },
  entry_not_found: { status: 404, detail: 'There is no such entry in the history.' },
  movement_not_found: { status: 404, detail: 'There is no such movement.' },
  method_not_allowed: { status: 405, detail: 'This address does not take that method.' },
  too_slow: { status: 408, detail: 'The request did not arrive in time.' },
  already_verified: { status: 409, detail: 'Your e-mail address is verified already.' },
  out_of_stock: { status: 409, detail: 'There are not that many units on hand.' },
  over_full: { status: 409, detail: 'That would be more units than can be counted.' },
  already_undone: { status: 409, detail: 'This movement has been undone already.' },
  not_undoable: { status: 409, detail: 'The opening stock of an item is not undone; delete the item instead.' },
  item_deleted: { status: 409, detail: 'The item has been deleted; restore it first.' },
  edit_conflict: { status: 409, detail: 'Somebody else has changed the same field in the meantime.' },
  changed_since: { status: 409, detail: 'It has been changed again since, so it cannot simply be taken back.' },
  stale_version: { status: 412, detail: 'The item has changed since it was read.' },
  too_large: { status: 413, detail: 'The request is larger than what is accepted here.' },
  not_a_picture: { status: 415, detail: 'Send a picture: JPEG, PNG or WebP, whole and not damaged.' },
  not_json: { status: 415, detail: 'Send JSON, with content-type application/json.' },
  invalid_input: { status: 422, detail: 'Some fields need another look.' },
  password_too_common: { status: 422, detail: 'This password is among the first anyone would try. Choose another.' },
  password_is_personal: { status: 422, detail: 'Choose a password that is not your name or e-mail address.' },
  key_reused: { status: 422, detail: 'This idempotency key belongs to another request.' },
  too_many: { status: 429, detail: 'Too many requests. Wait a little.' },
  headers_too_large: { status: 431, detail: 'The address or the headers are longer than what is accepted here.' },
  internal: { status: 500, detail: 'Something went wrong.' },
  unavailable: { status: 503, detail: 'The warehouse cannot answer right now. Nothing was changed; try again.' },
  outcome_unknown: {
    status: 503,
    detail: 'The connection to the store broke while saving. Repeat the request with the same Idempotency-Key.',
  },
  overloaded: { status: 503, detail: 'Too much is being asked at once. Try again in a moment.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ProblemCode = keyof typeof problems;

/** RFC 9457, as every error answer has it. `type` is stable and need not resolve. */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  requestId: string;
  /** Under /api/auth: the same words as `detail`, under the name identity providers use. */
  message?: string;
  fields?: Record<string, string>;
  onHand?: number;
  item?: unknown;
};
