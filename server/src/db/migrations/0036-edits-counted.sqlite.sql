-- How often the items of a house were created, edited, deleted or restored: what a search found holds until one more.
alter table item_tallies add column edits integer not null default 0;

drop trigger items_tally_insert;
create trigger items_tally_insert after insert on items when new.deleted_at is null
begin
  insert into item_tallies (house, slot, live, out_of_stock, low, edits)
    values (new.house, 0, 1, new.quantity = 0, new.quantity <= new.low_at, 1)
    on conflict (house, slot) do update set live = live + 1, out_of_stock = out_of_stock + excluded.out_of_stock,
      low = low + excluded.low, edits = edits + 1;
end;
drop trigger items_tally_change;
create trigger items_tally_change after update of deleted_at, house, quantity, low_at on items
when (old.deleted_at is null) <> (new.deleted_at is null) or old.house <> new.house
  or (new.quantity = 0) <> (old.quantity = 0) or (new.quantity <= new.low_at) <> (old.quantity <= old.low_at)
begin
  update item_tallies set
      live = live - 1, out_of_stock = out_of_stock - (old.quantity = 0), low = low - (old.quantity <= old.low_at)
    where house = old.house and slot = 0 and old.deleted_at is null;
  insert into item_tallies (house, slot, live, out_of_stock, low)
    select new.house, 0, 1, new.quantity = 0, new.quantity <= new.low_at where new.deleted_at is null
    on conflict (house, slot) do update set
      live = live + 1, out_of_stock = out_of_stock + excluded.out_of_stock, low = low + excluded.low;
end;
-- Every column that an item is found or sorted by, except the quantity.
create trigger items_tally_edit after update of name_key, supplier_key, description, price_cents, email_key, sku,
  barcodes, code_keys, published, deleted_at, house on items
begin
  insert into item_tallies (house, slot, live, edits) values (new.house, 0, 0, 1)
    on conflict (house, slot) do update set edits = edits + 1;
  update item_tallies set edits = edits + 1 where house = old.house and slot = 0 and old.house <> new.house;
end;
