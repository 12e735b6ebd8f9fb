-- The ledger made visible: a hash that chains each movement to the one before it, what was edited, deleted and
-- restored, what belongs to one bulk action, and from how many units on stock counts as low.

alter table stock_movements add column batch text;
-- Of an undo: the kind of the movement at the root of the chain it belongs to.
alter table stock_movements add column undone_kind text;
alter table stock_movements add column hash text not null default '';
-- The hash of the item's last movement: the next one continues from here.
alter table items add column ledger_hash text not null default '';
-- The item's own reorder point, if it has one, and the one that counts.
alter table items add column reorder_point integer check (reorder_point between 0 and 1000000000);
alter table items add column low_at integer not null default 10;

-- What is in the ledger already is chained as it stands.
drop trigger stock_movements_are_never_changed;
update stock_movements set undone_kind = (
  with recursive roots (id, kind, undoes) as (
    select id, kind, undoes from stock_movements root where root.id = stock_movements.undoes
    union all
    select m.id, m.kind, m.undoes from stock_movements m join roots on m.id = roots.undoes
  ) select kind from roots where undoes is null)
where undoes is not null;
create temporary table chained as
with recursive chain (item_id, seq, hash) as (
  select item_id, seq, ledger_hash('', item_id, seq, id, kind, delta, quantity_after, actor_id, actor_name, at, note, undoes, batch)
  from stock_movements where seq = 1
  union all
  select m.item_id, m.seq,
    ledger_hash(chain.hash, m.item_id, m.seq, m.id, m.kind, m.delta, m.quantity_after, m.actor_id, m.actor_name, m.at, m.note, m.undoes, m.batch)
  from chain join stock_movements m on m.item_id = chain.item_id and m.seq = chain.seq + 1
) select * from chain;
create unique index chained_by_movement on chained (item_id, seq);
update stock_movements set hash = (
  select hash from chained where chained.item_id = stock_movements.item_id and chained.seq = stock_movements.seq);
update items set ledger_hash = (
  select hash from chained where chained.item_id = items.id and chained.seq = items.stock_seq);
drop table chained;
create trigger stock_movements_are_never_changed before update on stock_movements
begin select raise(abort, 'the ledger is append-only'); end;

-- History is read newest first: all of it, one person's, or one kind. Most movements are deliveries, so for those the
-- first index does, and only the rarer kinds have one of their own.
create index stock_movements_by_time on stock_movements (at, id);
create index stock_movements_by_actor on stock_movements (actor_id, at, id);
create index stock_movements_by_kind on stock_movements (kind, at, id) where kind <> 'deliver';
create index stock_movements_by_batch on stock_movements (batch) where batch is not null;

-- What happened to items besides their stock. Append-only like the ledger.
create table item_events (
  -- The order in which they happened; within one item also when the clock stood still.
  num integer primary key,
  id text not null unique,
  item_id text not null references items (id),
  kind text not null check (kind in ('edited', 'deleted', 'restored')),
  -- Of an edit: [{"field", "from", "to"}].
  changes text not null default '[]',
  actor_id text not null,
  actor_name text not null,
  at integer not null,
  batch text,
  -- The event, or the opening movement, that this one takes back.
  undoes text
) strict;
create index item_events_by_time on item_events (at, id);
create index item_events_by_item on item_events (item_id, at, id);
create index item_events_by_actor on item_events (actor_id, at, id);
create index item_events_by_batch on item_events (batch) where batch is not null;
create unique index item_events_by_undone on item_events (undoes) where undoes is not null;
create trigger item_events_are_never_changed before update on item_events
begin select raise(abort, 'history is append-only'); end;
create trigger item_events_are_never_deleted before delete on item_events
begin select raise(abort, 'history is append-only'); end;

-- Low stock is a short list: an item enters and leaves it only when it crosses its reorder point.
create index items_low on items (num) where deleted_at is null and quantity <= low_at;

-- What the people of the warehouse have agreed on.
create table settings (name text not null primary key, value text not null) strict;

-- How many items there were at an instant.
create index items_by_creation on items (created_at);
