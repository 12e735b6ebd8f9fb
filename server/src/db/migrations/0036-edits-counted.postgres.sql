-- When items of a house are created, edited, deleted or restored, a count increases: what a search found holds until then.
-- First this lock, as whoever changes items has it first.
lock table items in access exclusive mode;
alter table item_tallies add column edits bigint not null default 0;

create or replace function tally_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.deleted_at is null then
    insert into item_tallies as tally (house, slot, live, out_of_stock, low)
    values (old.house, pg_backend_pid() & 63, -1, -(old.quantity = 0)::int, -(old.quantity <= old.low_at)::int)
    on conflict (house, slot) do update set live = tally.live - 1,
      out_of_stock = tally.out_of_stock + excluded.out_of_stock, low = tally.low + excluded.low;
  end if;
  if new.deleted_at is null then
    insert into item_tallies as tally (house, slot, live, out_of_stock, low, edits)
    values (new.house, pg_backend_pid() & 63, 1, (new.quantity = 0)::int, (new.quantity <= new.low_at)::int,
      (tg_op = 'INSERT')::int)
    on conflict (house, slot) do update set live = tally.live + 1, edits = tally.edits + excluded.edits,
      out_of_stock = tally.out_of_stock + excluded.out_of_stock, low = tally.low + excluded.low;
  end if;
  return null;
end $$;

-- Once for each house in a transaction, because a row that one transaction updates often gets slower each time.
create function tally_edits() returns trigger language plpgsql as $$
declare
  counted text := coalesce(current_setting('perfume.counted_houses', true), '');
  edited bigint;
begin
  foreach edited in array array[least(old.house, new.house), greatest(old.house, new.house)] loop
    continue when position(',' || edited || ',' in counted) > 0;
    counted := counted || ',' || edited || ',';
    perform set_config('perfume.counted_houses', counted, true);
    insert into item_tallies as tally (house, slot, live, edits) values (edited, pg_backend_pid() & 63, 0, 1)
    on conflict (house, slot) do update set edits = tally.edits + 1;
  end loop;
  return null;
end $$;
-- Every column that an item is found or sorted by, except the quantity. At the end of the transaction, as in 0034.
create constraint trigger items_tally_edit after update of name_key, supplier_key, description, price_cents, email_key,
  sku, barcodes, code_keys, published, deleted_at, house on items
deferrable initially deferred for each row execute function tally_edits();
