-- How many items of a house are out of stock, and how many are low, is counted as they change, like how many there are.
alter table item_tallies add column out_of_stock integer not null default 0;
alter table item_tallies add column low integer not null default 0;
update item_tallies set
  out_of_stock = (select count(*) from items where house = item_tallies.house and deleted_at is null and quantity = 0),
  low = (select count(*) from items where house = item_tallies.house and deleted_at is null and quantity <= low_at);

drop trigger items_tally_insert;
create trigger items_tally_insert after insert on items when new.deleted_at is null
begin
  insert into item_tallies values (new.house, 0, 1, new.quantity = 0, new.quantity <= new.low_at)
    on conflict (house, slot) do update set
      live = live + 1, out_of_stock = out_of_stock + excluded.out_of_stock, low = low + excluded.low;
end;
drop trigger items_tally_change;
create trigger items_tally_change after update of deleted_at, house, quantity, low_at on items
when (old.deleted_at is null) <> (new.deleted_at is null) or old.house <> new.house
  or (new.quantity = 0) <> (old.quantity = 0) or (new.quantity <= new.low_at) <> (old.quantity <= old.low_at)
begin
  update item_tallies set
      live = live - 1, out_of_stock = out_of_stock - (old.quantity = 0), low = low - (old.quantity <= old.low_at)
    where house = old.house and slot = 0 and old.deleted_at is null;
  insert into item_tallies select new.house, 0, 1, new.quantity = 0, new.quantity <= new.low_at
    where new.deleted_at is null
    on conflict (house, slot) do update set
      live = live + 1, out_of_stock = out_of_stock + excluded.out_of_stock, low = low + excluded.low;
end;
