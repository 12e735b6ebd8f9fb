-- The shelf and its ledger.
-- An item's stock can only change together with a movement that continues the one before it, checked here and not
-- only by the program: "quantity = sum of movements" holds by induction, whoever writes.

create table items (
  num integer primary key,
  id text not null unique,
  name text not null,
  name_key text not null,
  price_cents integer not null check (price_cents between 0 and 1000000000),
  quantity integer not null check (quantity between 0 and 1000000000),
  image_url text not null,
  description text not null,
  supplier_name text not null,
  supplier_key text not null,
  email text not null,
  email_key text not null,
  version integer not null check (version >= 1),
  stock_seq integer not null check (stock_seq >= 1),
  created_by text not null,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  foreign key (id, stock_seq) references stock_movements (item_id, seq) deferrable initially deferred
) strict;

-- One index an order, live items only. The first also covers searches of one or two letters.
create index items_by_num on items (num, name_key, supplier_key) where deleted_at is null;
create index items_by_name on items (name_key, num) where deleted_at is null;
create index items_by_price on items (price_cents, num) where deleted_at is null;
create index items_by_quantity on items (quantity, num) where deleted_at is null;
create index items_by_email on items (email_key, num) where deleted_at is null;

create table stock_movements (
  id text not null unique,
  item_id text not null,
  seq integer not null check (seq >= 1),
  kind text not null check (kind in ('opening', 'deliver', 'restock', 'correction', 'undo')),
  delta integer not null,
  quantity_before integer not null,
  quantity_after integer not null check (quantity_after between 0 and 1000000000),
  actor_id text not null,
  actor_name text not null,
  at integer not null,
  note text,
  undoes text references stock_movements (id),
  primary key (item_id, seq),
  check (quantity_before + delta = quantity_after),
  check ((kind = 'opening') = (seq = 1)),
  check (seq > 1 or quantity_before = 0),
  check (delta <> 0 or kind = 'opening'),
  check ((kind = 'undo') = (undoes is not null))
) strict, without rowid;

-- A movement is undone once. Most undo nothing, and only those that do are worth an entry.
create unique index stock_movements_by_undone on stock_movements (undoes) where undoes is not null;

create trigger stock_movements_continue_the_ledger after insert on stock_movements
begin
  select raise(abort, 'a movement continues the one before it and ends at what is on the shelf')
  where not exists (
      select 1 from items where id = new.item_id and stock_seq = new.seq and quantity = new.quantity_after)
    or (new.seq > 1 and not exists (
      select 1 from stock_movements
      where item_id = new.item_id and seq = new.seq - 1 and quantity_after = new.quantity_before));
end;

create trigger items_change_stock_with_a_movement after update of quantity, stock_seq on items
when new.stock_seq < old.stock_seq or (new.stock_seq = old.stock_seq and new.quantity <> old.quantity)
begin select raise(abort, 'stock changes only with a movement'); end;

create trigger stock_movements_are_never_changed before update on stock_movements
begin select raise(abort, 'the ledger is append-only'); end;

create trigger stock_movements_are_never_deleted before delete on stock_movements
begin select raise(abort, 'the ledger is append-only'); end;

create trigger items_are_never_deleted before delete on items
begin select raise(abort, 'items are marked as deleted, never removed'); end;

-- How many items there are, kept so that no list has to count them.
create table item_tallies (slot integer primary key, live integer not null) strict;
insert into item_tallies values (0, 0);

create trigger items_tally_insert after insert on items when new.deleted_at is null
begin update item_tallies set live = live + 1 where slot = 0; end;

create trigger items_tally_delete after update of deleted_at on items
  when (old.deleted_at is null) <> (new.deleted_at is null)
begin update item_tallies set live = live + iif(new.deleted_at is null, 1, -1) where slot = 0; end;

-- Substring search: the folded text of each live item (rowid is items.num), indexed by trigrams.
-- New texts wait in a table and enter the index many at a time, at the latest when somebody searches:
-- the full-text index writes itself out at every savepoint, which for each item alone costs ten times as much.
create table item_search (rowid integer primary key, text text not null) strict;
create table item_search_pending (rowid integer primary key) strict;
create virtual table item_search_index using fts5 (
  text, content = 'item_search', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

create trigger item_search_insert after insert on item_search
begin insert into item_search_pending values (new.rowid); end;

create trigger item_search_delete after delete on item_search
begin
  insert into item_search_index (item_search_index, rowid, text)
    select 'delete', old.rowid, old.text
    where not exists (select 1 from item_search_pending where rowid = old.rowid);
  delete from item_search_pending where rowid = old.rowid;
end;

-- What was answered under an idempotency key, written with the change itself.
create table answers (
  num integer primary key,
  key text not null unique,
  fingerprint text not null,
  outcome text not null,
  at integer not null
) strict;

-- The change feed. Every open screen follows it; rows are pruned once nobody can still be behind them.
-- The newest row always stays, so a number is never given twice.
create table changes (
  seq integer primary key,
  item_id text not null,
  kind text not null check (kind in ('created', 'stock', 'edited', 'deleted', 'restored')),
  at integer not null
) strict;
