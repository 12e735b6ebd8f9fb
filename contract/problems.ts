import { type FieldCode, fieldSentences } from '@perfume/domain/field-errors';
import type { HouseRole } from '@perfume/domain/houses';

/** Every problem code with its status and text. Clients switch on the code; the text may change. */
export const problems = {
  malformed: { status: 400, detail: 'The request is malformed.' },
  invalid_query: { status: 400, detail: 'A query parameter is not valid.' },
  invalid_header: { status: 400, detail: 'A request header is not valid.' },
  invalid_link: {
    status: 400,
    detail: 'This link has expired or was already used. Request a new one.',
  },
  wrong_password: { status: 400, detail: 'The current password is wrong.' },
  no_password: { status: 400, detail: 'This account logs in through a provider and has no password yet.' },
  wrong_code: { status: 400, detail: 'This code is wrong or was already used.' },
  passkey_refused: { status: 400, detail: 'This passkey was not accepted. Try again, or log in another way.' },
  invalid_email_or_password: { status: 401, detail: 'Invalid email or password' },
  login_expired: { status: 401, detail: 'Your login took too long. Enter your password again.' },
  not_signed_in: { status: 401, detail: 'Log in first.' },
  invalid_token: { status: 401, detail: 'The access token is missing, expired or not valid.' },
  invalid_key: { status: 401, detail: 'The API key is wrong, has expired or was revoked.' },
  cross_site: { status: 403, detail: 'Changes are only accepted from this site.' },
  email_not_verified: { status: 403, detail: 'Verify your email address first.' },
  account_disabled: { status: 403, detail: 'This account was disabled. Ask whoever runs this server.' },
  sign_up_closed: { status: 403, detail: 'New accounts cannot be created here. If you have an account, log in.' },
  sign_up_refused: { status: 403, detail: 'This address cannot sign up here. Ask for an invitation.' },
  proof_needed: { status: 403, detail: 'Confirm that it is you first.' },
  not_allowed: { status: 403, detail: 'Your role does not allow this. `role` says which role in this house does.' },
  no_house: { status: 403, detail: 'You are not a member of any house. Create one, or ask for an invitation.' },
  email_mismatch: { status: 403, detail: 'This is not the email address of the logged-in user.' },
  key_not_allowed: { status: 403, detail: 'This API key does not allow this request.' },
  not_found: { status: 404, detail: 'There is nothing at this address.' },
  provider_not_found: {
    status: 404,
    detail: 'Logging in with that provider is not available here. Log in another way.',
  },
  passkey_not_found: { status: 404, detail: 'This passkey does not exist.' },
  house_not_found: { status: 404, detail: 'You are not a member of this house, or it does not exist.' },
  person_not_found: { status: 404, detail: 'No verified account has this id.' },
  member_not_found: { status: 404, detail: 'This person is not a member of the house.' },
  invitation_not_found: { status: 404, detail: 'This invitation does not exist, or was already used or withdrawn.' },
  item_not_found: { status: 404, detail: 'This item does not exist.' },
  code_not_found: { status: 404, detail: 'No item has this code.' },
  entry_not_found: { status: 404, detail: 'This history entry does not exist.' },
  key_not_found: { status: 404, detail: 'You have no API key with this id.' },
  movement_not_found: { status: 404, detail: 'This movement does not exist.' },
  count_not_found: { status: 404, detail: 'This count does not exist.' },
  count_entry_not_found: { status: 404, detail: 'Nobody counted this.' },
  import_not_found: {
    status: 404,
    detail: 'This import does not exist. The last three files of a person are kept, for a week.',
  },
  view_not_found: { status: 404, detail: 'You have no saved view with this id.' },
  webhook_not_found: { status: 404, detail: 'This webhook does not exist.' },
  delivery_not_found: { status: 404, detail: 'This delivery does not exist. Deliveries are kept for 30 days.' },
  method_not_allowed: { status: 405, detail: 'This address does not accept that method.' },
  too_slow: { status: 408, detail: 'The request took too long to arrive.' },
  already_verified: { status: 409, detail: 'Your email address is already verified.' },
  too_many_keys: { status: 409, detail: 'You have 20 API keys, which is the most. Revoke one first.' },
  demo_account: { status: 409, detail: 'Everyone uses the demo account, so it cannot be removed.' },
  two_step_on: { status: 409, detail: 'Two-step login is already on.' },
  two_step_off: { status: 409, detail: 'Two-step login is off. Turn it on first.' },
  too_many_passkeys: { status: 409, detail: 'You have too many passkeys, or this one already. Remove one first.' },
  has_owner: {
    status: 409,
    detail:
      'This house has an owner, who decides about its people: one who is not disabled, or not yet for seven days.',
  },
  last_owner: { status: 409, detail: 'A house needs an owner. Make somebody else an owner first.' },
  too_many_houses: { status: 409, detail: 'You are a member of 20 houses, which is the most. Leave one first.' },
  too_many_members: { status: 409, detail: 'A house has at most 200 people, with those who are invited.' },
  already_member: { status: 409, detail: 'This person is a member of the house already.' },
  last_way_in: { status: 409, detail: 'This is your only way to log in. Set a password first.' },
  out_of_stock: { status: 409, detail: 'Not enough units on hand.' },
  over_full: { status: 409, detail: 'The quantity cannot go above 1,000,000,000.' },
  batch_used: { status: 409, detail: 'This batch already has entries. Choose a new one.' },
  already_undone: { status: 409, detail: 'This change was already undone.' },
  not_undoable: { status: 409, detail: 'The opening stock of an item cannot be undone. Delete the item instead.' },
  item_deleted: { status: 409, detail: 'The item was deleted. Restore it first.' },
  count_closed: { status: 409, detail: 'This count was posted or cancelled. Nothing was changed.' },
  count_posting: { status: 409, detail: 'Somebody else is posting this count.' },
  count_unsettled: {
    status: 409,
    detail: 'Stock moved while some items were being counted. Confirm their differences or count them again.',
  },
  count_line_full: {
    status: 409,
    detail: 'This item was counted 10,000 times in this count, which is the most. Start a new count.',
  },
  count_overtaken: {
    status: 409,
    detail: 'This item was counted again after this entry was made. Count it again.',
  },
  count_below_zero: { status: 409, detail: 'The counted number cannot go below zero.' },
  count_over_full: { status: 409, detail: 'The counted number cannot go above 1,000,000,000.' },
  too_many_counts: { status: 409, detail: 'You have 20 open counts, which is the most. Post or cancel one first.' },
  import_started: { status: 409, detail: 'This import has begun. Cancel it, or wait until it is done.' },
  import_finished: { status: 409, detail: 'This import is done. To import the file again, choose it again.' },
  too_many_views: { status: 409, detail: 'You have 100 saved views, which is the most. Delete one first.' },
  too_many_webhooks: {
    status: 409,
    detail:
      'There is no room for another webhook: 10 are the most, or 50 of all people who share one stock. Delete one first.',
  },
  webhook_off: { status: 409, detail: 'This webhook is switched off. Switch it on first.' },
  delivery_waiting: { status: 409, detail: 'This event is still being sent.' },
  too_many_view_emails: {
    status: 409,
    detail: 'You get emails about 20 saved views, which is the most. Turn one off first.',
  },
  edit_conflict: { status: 409, detail: 'Someone else changed the same field. Check it and try again.' },
  code_taken: { status: 409, detail: 'Another item already has one of these codes. A code belongs to one item.' },
  changed_since: {
    status: 409,
    detail: 'The item was edited again after this change, so the change cannot be undone. Edit the item instead.',
  },
  stale_version: { status: 412, detail: 'The item has changed since you read it. Read it again and retry.' },
  too_large: { status: 413, detail: 'The request is too large.' },
  not_a_picture: { status: 415, detail: 'Send a complete JPEG, PNG or WebP image.' },
  not_json: { status: 415, detail: 'Send JSON with content-type application/json.' },
  invalid_input: { status: 422, detail: 'Some fields are not valid. Correct them and try again.' },
  password_too_common: { status: 422, detail: fieldSentences.password_too_common },
  password_is_personal: { status: 422, detail: fieldSentences.password_is_personal },
  key_reused: { status: 422, detail: 'This Idempotency-Key was already used for another request.' },
  too_many: { status: 429, detail: 'Too many requests. Wait and try again.' },
  headers_too_large: { status: 431, detail: 'The URL or the headers are too long.' },
  internal: { status: 500, detail: 'Something went wrong.' },
  unavailable: { status: 503, detail: 'The server cannot answer right now. Nothing was changed. Try again.' },
  outcome_unknown: {
    status: 503,
    detail: 'The database connection was lost while saving. Repeat the request with the same Idempotency-Key.',
  },
  overloaded: { status: 503, detail: 'The server is overloaded. Try again in a moment.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ProblemCode = keyof typeof problems;

/**
 * The body of every error response (RFC 9457). `type` is a stable identifier; there need not be a page at that address.
 */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  requestId: string;
  /** Under /api/auth only: the same text as `detail`, because better-auth's client reads `message`. */
  message?: string;
  /** What is wrong with each field: as a sentence, and as a code for programs. */
  fields?: Record<string, string>;
  fieldCodes?: Record<string, FieldCode>;
  onHand?: number;
  /** The role that the request needs. */
  role?: HouseRole;
  item?: unknown;
};
