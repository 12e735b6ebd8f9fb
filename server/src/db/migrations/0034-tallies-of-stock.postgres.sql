-- How many items of a house are out of stock, and how many are low, is counted as they change, like how many there are.
-- First this lock, as whoever changes items has it first.
lock table items in access exclusive mode;
alter table item_tallies add column out_of_stock bigint not null default 0;
alter table item_tallies add column low bigint not null default 0;

create or replace function tally_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.deleted_at is null then
    insert into item_tallies as tally (house, slot, live, out_of_stock, low)
    values (old.house, pg_backend_pid() & 63, -1, -(old.quantity = 0)::int, -(old.quantity <= old.low_at)::int)
    on conflict (house, slot) do update set live = tally.live - 1,
      out_of_stock = tally.out_of_stock + excluded.out_of_stock, low = tally.low + excluded.low;
  end if;
  if new.deleted_at is null then
    insert into item_tallies as tally (house, slot, live, out_of_stock, low)
    values (new.house, pg_backend_pid() & 63, 1, (new.quantity = 0)::int, (new.quantity <= new.low_at)::int)
    on conflict (house, slot) do update set live = tally.live + 1,
      out_of_stock = tally.out_of_stock + excluded.out_of_stock, low = tally.low + excluded.low;
  end if;
  return null;
end $$;
-- At the end of the transaction, so that nobody waits for a row of this table while others wait for an item.
drop trigger items_tally_insert on items;
create constraint trigger items_tally_insert after insert on items deferrable initially deferred
for each row when (new.deleted_at is null) execute function tally_items();
drop trigger items_tally_change on items;
create constraint trigger items_tally_change after update of deleted_at, house, quantity, low_at on items
deferrable initially deferred
for each row when ((old.deleted_at is null) <> (new.deleted_at is null) or old.house <> new.house
  or (new.quantity = 0) <> (old.quantity = 0) or (new.quantity <= new.low_at) <> (old.quantity <= old.low_at))
execute function tally_items();

insert into item_tallies as tally (house, slot, live, out_of_stock, low)
select house, 0, 0, count(*) filter (where quantity = 0), count(*) filter (where quantity <= low_at)
from items where deleted_at is null group by house
on conflict (house, slot) do update set out_of_stock = excluded.out_of_stock, low = excluded.low;
