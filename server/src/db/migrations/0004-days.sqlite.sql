-- Figures over time. What is long past is added up once, so that a question about a year does not read the year's
-- movements; a question adds to these sums what happened since. They are kept by whoever asks: a delivery knows
-- nothing of them and costs what it did. All of this can be made anew from the ledger at any time.

-- What changed the worth of the shelf besides movements: a new price, a deletion, a restoration. `stock_seq` says
-- between which movements of the item it happened, whatever the clocks say.
create table shelf_changes (
  num integer primary key,
  item integer not null,
  at integer not null,
  stock_seq integer not null,
  quantity integer not null,
  price_before integer not null,
  price_after integer not null,
  live_before integer not null check (live_before in (0, 1)),
  live_after integer not null check (live_after in (0, 1))
) strict;
create index shelf_changes_by_item on shelf_changes (item, stock_seq, num);
create index shelf_changes_by_time on shelf_changes (at);

create trigger items_note_shelf_changes after update of price_cents, deleted_at on items
when new.price_cents <> old.price_cents or (new.deleted_at is null) <> (old.deleted_at is null)
begin
  insert into shelf_changes (item, at, stock_seq, quantity, price_before, price_after, live_before, live_after)
  values (new.num, new.updated_at, new.stock_seq, new.quantity, old.price_cents, new.price_cents,
    old.deleted_at is null, new.deleted_at is null);
end;

-- Of what was deleted earlier, the last deletion is known.
insert into shelf_changes (item, at, stock_seq, quantity, price_before, price_after, live_before, live_after)
select num, deleted_at, stock_seq, quantity, price_cents, price_cents, 1, 0
from items where deleted_at is not null order by deleted_at;

-- Everything in the warehouse, by the hour since 1970. Worth is in cents, split into thousand millions and the rest:
-- the dearest stock the rules allow, a thousand times over, still adds up exactly.
create table stock_hours (
  hour integer primary key,
  movements integer not null,
  units integer not null,
  worth_e9 integer not null,
  worth integer not null,
  delivered integer not null,
  restocked integer not null,
  corrected integer not null
) strict;

-- One item by the day since 1970, in UTC.
create table item_days (
  item integer not null,
  day integer not null,
  units integer not null,
  worth_e9 integer not null,
  worth integer not null,
  delivered integer not null,
  restocked integer not null,
  corrected integer not null,
  primary key (item, day)
) strict, without rowid;

-- How far has been added up: a whole hour, in epoch milliseconds.
create table stock_summed (slot integer primary key check (slot = 0), until integer not null) strict;
insert into stock_summed values (0, 0);

-- For questions about one supplier. No delivery touches it; PostgreSQL, where each change of a row enters every index,
-- does without and reads all items.
create index items_by_supplier on items (supplier_key);
