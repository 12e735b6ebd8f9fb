-- Webhooks: addresses that get a signed request for each event, and what was sent to them (decision 0069).
create table webhooks (
  id text primary key,
  house integer not null references houses (num),
  -- With ACCESS=open: the person whose it is. Null: it belongs to the house.
  owner_id text references users (id) on delete cascade,
  made_by text references users (id) on delete set null,
  url text not null,
  -- A JSON list of the events that it gets.
  events text not null,
  -- `deleted`: nobody sees it; its deliveries are being removed in small steps.
  state text not null check (state in ('on', 'off', 'deleted')),
  off_reason text check (off_reason in ('by_hand', 'failing', 'gone', 'behind', 'restored')),
  -- Both encrypted. The one before signs too until `old_secret_until`.
  secret text not null,
  old_secret text,
  old_secret_until integer,
  -- It gets what follows these positions of the change feed and of the alerts.
  from_txid integer not null,
  from_seq integer not null,
  alerts_txid integer not null,
  alerts_num integer not null,
  -- How many of its deliveries are waiting.
  waiting integer not null default 0,
  -- Since when every attempt has failed, and when one last succeeded.
  failing_since integer,
  delivered_at integer,
  created_at integer not null
) strict, without rowid;
create index webhooks_of_house on webhooks (house, created_at);
create index webhooks_of_owner on webhooks (owner_id) where owner_id is not null;
create index webhooks_of_maker on webhooks (made_by);
create index webhooks_by_state on webhooks (state);

-- One event for one webhook. Rows are numbered in the order in which the events of an item happened.
create table webhook_deliveries (
  num integer primary key,
  -- Derived from the webhook and the event, so that planning the same event again makes no second row.
  id text not null unique,
  webhook_id text not null references webhooks (id) on delete cascade,
  -- Deliveries with the same queue are sent one after the other: the id of the item, or that of a test.
  queue text not null,
  type text not null,
  item_id text,
  -- The id of the movement or of the entry in the history; empty for others.
  ref text not null,
  -- Of an alert: what it said, as JSON.
  detail text,
  at integer not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When it is sent next, or when the server that is sending it has given no answer for too long. Null while an earlier
  -- one of its queue waits, and once it is done.
  due_at integer,
  tried_at integer,
  done_at integer,
  status integer,
  reason text,
  -- What was sent, from the first attempt on.
  body text
) strict;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, num) where due_at is not null;
create index webhook_deliveries_in_queue on webhook_deliveries (webhook_id, queue, num) where state = 'waiting';
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, num);
create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, num);

-- How far the change feed has been turned into deliveries. There is a row as long as a webhook is on.
create table webhook_cursor (
  one integer primary key check (one = 1),
  txid integer not null,
  seq integer not null
) strict;
