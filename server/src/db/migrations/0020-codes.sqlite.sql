-- The codes of items: the dealer's own (SKU) and those that scanners read. `barcodes` and `code_keys` are JSON lists of
-- text. `code_keys` has each code as it is compared (`codeKey` in domain/codes.ts).
alter table items add column sku text;
alter table items add column barcodes text not null default '[]';
alter table items add column code_keys text not null default '[]';

-- Which item a code leads to. The triggers write it, so no two items that are not deleted share a code, whatever program
-- writes.
create table item_codes (
  code_key text not null primary key,
  item_id text not null references items (id)
) strict, without rowid;
create index item_codes_by_item on item_codes (item_id);

create trigger items_add_codes after insert on items when new.code_keys <> '[]' and new.deleted_at is null
begin insert into item_codes select value, new.id from json_each(new.code_keys); end;

create trigger items_change_codes after update of code_keys, deleted_at on items
when (old.code_keys <> '[]' or new.code_keys <> '[]')
  and (old.code_keys <> new.code_keys or (old.deleted_at is null) <> (new.deleted_at is null))
begin
  delete from item_codes where item_id = old.id;
  insert into item_codes select value, new.id from json_each(new.code_keys) where new.deleted_at is null;
end;

-- To find the codes at an instant, as for the other fields (0010).
create index item_events_of_sku on item_events (item_id, at, num) where changes glob '*"field":"sku"*';
create index item_events_of_barcodes on item_events (item_id, at, num) where changes glob '*"field":"barcodes"*';
