-- The codes of items: the dealer's own (SKU) and those that scanners read. `barcodes` and `code_keys` are JSON lists of
-- text. `code_keys` has each code as it is compared (`codeKey` in domain/codes.ts).
alter table items add column sku text;
alter table items add column barcodes text not null default '[]';
alter table items add column code_keys text not null default '[]';

-- Which item a code leads to. The triggers write it, so no two items that are not deleted share a code, whatever program
-- writes.
create table item_codes (
  code_key text collate "C" not null primary key,
  item_id text collate "C" not null references items (id)
);
create index item_codes_by_item on item_codes (item_id);

create function write_item_codes() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then delete from item_codes where item_id = new.id; end if;
  if new.deleted_at is null then
    -- In the order of the keys, so that two items with the same codes wait for each other instead of deadlocking.
    insert into item_codes select key, new.id from json_array_elements_text(new.code_keys::json) as key order by key collate "C";
  end if;
  return null;
end $$;

create trigger items_add_codes after insert on items
for each row when (new.code_keys <> '[]' and new.deleted_at is null) execute function write_item_codes();

create trigger items_change_codes after update of code_keys, deleted_at on items
for each row when (
  (old.code_keys <> '[]' or new.code_keys <> '[]')
  and (old.code_keys <> new.code_keys or (old.deleted_at is null) <> (new.deleted_at is null))
) execute function write_item_codes();

-- To find the codes at an instant, as for the other fields (0010).
create index item_events_of_sku on item_events (item_id, at, num) where strpos(changes, '"field":"sku"') > 0;
create index item_events_of_barcodes on item_events (item_id, at, num) where strpos(changes, '"field":"barcodes"') > 0;
