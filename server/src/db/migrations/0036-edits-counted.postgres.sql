-- When items of a house are created, edited, deleted or restored, a count increases: what a search found holds until then.
-- First this lock, as whoever changes items has it first.
lock table items in access exclusive mode;
alter table item_tallies add column edits bigint not null default 0;

-- Once for each house in a transaction, because a row that one transaction updates often gets slower each time.
create function tally_edits() returns trigger language plpgsql as $$
declare
  counted text := coalesce(current_setting('perfume.counted_houses', true), '');
  edited bigint;
begin
  foreach edited in array case when tg_op = 'UPDATE' and old.house <> new.house
    then array[least(old.house, new.house), greatest(old.house, new.house)] else array[new.house] end
  loop
    continue when position(',' || edited || ',' in counted) > 0;
    counted := counted || ',' || edited || ',';
    perform set_config('perfume.counted_houses', counted, true);
    insert into item_tallies as tally (house, slot, live, edits) values (edited, pg_backend_pid() & 63, 0, 1)
    on conflict (house, slot) do update set edits = tally.edits + 1;
  end loop;
  return null;
end $$;
-- Every column that an item is found or sorted by, except the quantity. At the end of the transaction, as in 0034.
create constraint trigger items_tally_edit after insert or update of name_key, supplier_key, description, price_cents,
  email_key, sku, barcodes, code_keys, published, deleted_at, house on items
deferrable initially deferred for each row execute function tally_edits();
