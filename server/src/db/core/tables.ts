import type { AlertKind } from '@perfume/domain/alerts';
import type { HouseEventKind, HouseRole } from '@perfume/domain/houses';
import type { CountReason, MovementKind } from '@perfume/domain/ledger';
import type { ViewPage } from '@perfume/domain/views';
import type { DeliveryType, Failure, OffReason } from '@perfume/domain/webhooks';
import type { Generated } from 'kysely';

// Columns hold only text (such as UUIDs) and integers (such as cents and epoch milliseconds), so both databases store
// identical values.

/** A house: whose stock it is. Every table of the stock has the house's number in its column `house`. */
export type HouseRow = {
  num: Generated<number>;
  id: string;
  name: string;
  slug: string;
  published: 0 | 1;
  publish_below: number | null;
  reorder_point: number;
  reorder_point_at: number;
  applied_to: number | null;
  apply_until: number | null;
  created_at: number;
  deleted_at: number | null;
};

export type MemberRow = { house: number; user_id: string; role: HouseRole; joined_at: number };

export type HouseInvitationRow = {
  id: string;
  house: number;
  email: string;
  email_key: string;
  role: HouseRole;
  token_hash: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
};

export type ItemRow = {
  /** Increases with every new item. The sort order "newest" uses it, and it is the key of the search index. */
  num: Generated<number>;
  id: string;
  name: string;
  name_key: string;
  price_cents: number;
  quantity: number;
  image_url: string;
  description: string;
  supplier_name: string;
  supplier_key: string;
  email: string;
  email_key: string;
  version: number;
  stock_seq: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
  ledger_hash: string;
  /** The item's own reorder point. `low_at` is the one in effect: this one, or else the warehouse's. */
  reorder_point: number | null;
  low_at: number;
  sku: string | null;
  /** A JSON list of text, as is `code_keys`: all codes of the item in the form in which they are compared. */
  barcodes: string;
  code_keys: string;
  house: number;
  /** Whether visitors see it: the `published` of its house. */
  published: Generated<0 | 1>;
};

export type MovementRow = {
  id: string;
  item_id: string;
  seq: number;
  kind: MovementKind;
  delta: number;
  quantity_before: number;
  quantity_after: number;
  actor_id: string;
  actor_name: string;
  at: number;
  note: string | null;
  /** For a correction: why the count differed, if that is known. */
  reason: CountReason | null;
  undoes: string | null;
  batch: string | null;
  /** For an undo: the kind of the movement at the root of the undo chain. */
  undone_kind: MovementKind | null;
  /** For an undo: the time of that movement. */
  undone_at: number | null;
  hash: string;
  house: number;
};

/** A change to an item other than its stock. */
export type ItemEventRow = {
  num: Generated<number>;
  id: string;
  item_id: string;
  kind: 'edited' | 'deleted' | 'restored';
  changes: string;
  actor_id: string;
  actor_name: string;
  at: number;
  batch: string | null;
  undoes: string | null;
  house: number;
};

/** A signed checkpoint of the append-only tables: see ledger/checkpoint.ts. */
export type CheckpointRow = {
  number: number;
  at: number;
  /** 1 if everything committed by `at` is covered, 0 if more checkpoints of the same run follow. */
  complete: 0 | 1;
  books: string;
  content: string;
  previous: string;
  hash: string;
  public_key: string;
  signature: string;
};

export type CheckpointEntryRow = {
  book: string;
  subject: string;
  position: number;
  checkpoint: number;
  hash: string;
};

/** A change of a setting that everyone in the house shares. */
export type SettingsEventRow = {
  num: Generated<number>;
  id: string;
  /** Other kinds than 'settings' are about the people of the house. */
  kind: HouseEventKind;
  changes: string;
  actor_id: string;
  actor_name: string;
  at: number;
  undoes: string | null;
  house: number;
};

/** Records that an item reached its reorder point, ran out or recovered. Written by a database trigger. */
export type StockAlertRow = {
  num: Generated<number>;
  txid: Generated<number>;
  item_id: string;
  seq: number;
  kind: AlertKind;
  quantity: number;
  low_at: number;
  at: number;
  /** The batch of emails that reported this alert. */
  round: string | null;
  house: number;
};

export type AlertChoicesRow = {
  user_id: string;
  house: number;
  mail: 'off' | 'at_once' | 'daily';
  about: 'mine' | 'all';
  seen_txid: number;
  seen_num: number;
  digest_at: number | null;
  digest_from: number | null;
  mailed_hour: number;
  mailed_in_hour: number;
  mailed_day: number;
  mailed_in_day: number;
  held_from: number | null;
};

export type UserRow = {
  id: string;
  email: string;
  /** Null if someone signed up with an address that was already taken: no lookup by address finds this row. */
  email_key: string | null;
  name: string;
  image: string | null;
  email_verified: 0 | 1;
  created_at: number;
  updated_at: number;
  /** The house the person works in when a request names none. */
  house: number | null;
  disabled_at: number | null;
  /** 1: whoever runs the server. A trigger makes it the first account whose address is verified. */
  operator: Generated<0 | 1>;
};

export type SignInRow = {
  token_hash: string;
  id: string;
  user_id: string;
  browser: string | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
  /** When the user last proved who they are. Null: at the login. */
  proven_at: number | null;
};

export type TwoStepRow = { user_id: string; secret: string; confirmed_at: number | null; last_step: number };

export type PasskeyRow = {
  id: string;
  user_id: string;
  name: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  used_at: number | null;
};

export type AccountRow = {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  created_at: number;
  updated_at: number;
};

export type ApiKeyRow = {
  key_hash: string;
  id: string;
  user_id: string;
  name: string;
  scope: 'read' | 'stock' | 'full';
  expires_at: number | null;
  created_at: number;
  last_used_at: number | null;
  house: number;
};

/** A new name that a person gave themself. */
export type RenameRow = { id: string; user_id: string; from_name: string; to_name: string; at: number };

export type VerificationRow = {
  id: string;
  identifier: string;
  value: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
};

/** A count session. Its items are those that match `q`, `stock` and `mine` at the time of reading. */
export type CountSessionRow = {
  num: Generated<number>;
  id: string;
  name: string;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
  mine: 0 | 1;
  blind: 0 | 1;
  opened_by: string;
  opened_at: number;
  state: 'open' | 'posting' | 'posted' | 'cancelled';
  batch: string | null;
  reason: CountReason | null;
  note: string | null;
  closed_by: string | null;
  closed_at: number | null;
  changed_by: string | null;
  changed_at: number | null;
  counted: Generated<number>;
  house: number;
};

/** A file that somebody imports. `file` and `mapping` are JSON. */
export type ImportRow = {
  num: Generated<number>;
  id: string;
  house: number;
  name: string;
  actor_id: string;
  at: number;
  state: 'reading' | 'ready' | 'running' | 'done' | 'failed';
  file: string;
  mapping: string;
  mode: 'add' | 'update' | 'both';
  row_count: number;
  done: number;
  batch: string | null;
  added: number;
  changed: number;
  skipped: number;
  bad: number;
  touched_at: number;
};

/** What one person counted. */
export type CountEntryRow = {
  num: Generated<number>;
  id: string;
  session_id: string;
  item_id: string;
  seq: number;
  kind: 'add' | 'set' | 'undo';
  units: number;
  stock_seq: number;
  quantity: number;
  actor_id: string;
  actor_name: string;
  at: number;
  undoes: string | null;
};

/** The sum of the entries of one item in a session: see `CountLine` in domain/counts.ts. */
export type CountLineRow = {
  session_id: string;
  item_id: string;
  counted: number;
  first_seq: number;
  first_at: number;
  last_seq: number;
  last_at: number;
  last_by: string;
  last_num: number;
  done_seq: number | null;
  expected: number;
  difference: number;
  decision: 'post' | 'leave' | null;
  decided_seq: number | null;
  reason: CountReason | null;
  note: string | null;
  reviewed_by: string | null;
  reviewed_at: number | null;
  /** 'posted', or the code of the refusal. */
  outcome: string | null;
};

/** A saved view: the filters of a page under a name. `query` is the query string of the page. */
export type ViewRow = {
  id: string;
  house: number;
  user_id: string;
  name: string;
  page: ViewPage;
  query: string;
  shared: 0 | 1;
  pinned: 0 | 1;
  created_at: number;
  updated_at: number;
  /** Kept for a day, so that the deletion can be undone. */
  deleted_at: number | null;
};

/** An address that gets a signed request for each event. `events` is a JSON list; the secrets are encrypted. */
export type WebhookRow = {
  id: string;
  house: number;
  owner_id: string | null;
  made_by: string | null;
  url: string;
  events: string;
  state: 'on' | 'off' | 'deleted';
  off_reason: OffReason | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  from_txid: number;
  from_seq: number;
  /** On PostgreSQL: the transactions that had ended by then, whatever their position (`isVisibleIn`). */
  from_snapshot: string | null;
  alerts_txid: number;
  alerts_num: number;
  waiting: Generated<number>;
  failing_since: number | null;
  delivered_at: number | null;
  created_at: number;
};

/** One event for one webhook. */
export type DeliveryRow = {
  num: Generated<number>;
  id: string;
  webhook_id: string;
  queue: string;
  type: DeliveryType;
  item_id: string | null;
  ref: string;
  detail: string | null;
  at: number;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: Generated<number>;
  due_at: number | null;
  tried_at: number | null;
  done_at: number | null;
  status: number | null;
  reason: Failure | null;
  body: string | null;
};

/** Somebody gets an email when a view is no longer empty. */
export type ViewEmailRow = {
  view_id: string;
  user_id: string;
  /** 1: the view was empty when it was last looked at, so its next item leads to an email. */
  was_zero: 0 | 1;
  last_sent: number | null;
};

/**
 * `count`: somebody counted in a session, whose id is in `item_id`. `house`: the people or the name of the house have
 * changed. `view`: a saved view has changed.
 */
export type ChangeKind = 'created' | 'stock' | 'edited' | 'deleted' | 'restored' | 'count' | 'house' | 'view';

export type Tables = {
  houses: HouseRow;
  members: MemberRow;
  house_invitations: HouseInvitationRow;
  items: ItemRow;
  stock_movements: MovementRow;
  item_events: ItemEventRow;
  checkpoints: CheckpointRow;
  checkpoint_entries: CheckpointEntryRow;
  settings_events: SettingsEventRow;
  stock_alerts: StockAlertRow;
  alert_choices: AlertChoicesRow;
  settings: { name: string; value: string };
  count_sessions: CountSessionRow;
  count_entries: CountEntryRow;
  count_lines: CountLineRow;
  imports: ImportRow;
  /** Rows of a file that is imported, as JSON. */
  import_chunks: { import_id: string; chunk: number; rows: string };
  /** What is wrong with the rows of a chunk, as JSON. */
  import_problems: { import_id: string; chunk: number; problems: string };
  views: ViewRow;
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
  webhook_cursor: { one: 1; txid: number; seq: number };
  view_emails: ViewEmailRow;
  stock_summed: { house: number; until: number; begun_at: number };
  /** The item that each code leads to. Written by a database trigger; deleted items have no rows. */
  item_codes: { house: number; code_key: string; item_id: string };
  item_tallies: { house: number; slot: number; live: number; out_of_stock: number; low: number; edits: number };
  /** The folded text of each item that is not deleted, indexed by trigrams. rowid is items.num. */
  item_search: { rowid: number; text: string };
  answers: { num: Generated<number>; key: string; fingerprint: string; outcome: string; at: number };
  users: UserRow;
  sign_ins: SignInRow;
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  verifications: VerificationRow;
  two_step: TwoStepRow;
  recovery_codes: { user_id: string; code_hash: string };
  passkeys: PasskeyRow;
  renames: RenameRow;
  invitations: { email_key: string; invited_at: number };
  uploads: { name: string; at: number };
  attempts: { subject: string; count: number; until: number };
  changes: {
    seq: Generated<number>;
    txid: Generated<number>;
    house: number;
    item_id: string;
    kind: ChangeKind;
    at: number;
    entry: Generated<string | null>;
  };
};
