-- The movement's item is found by its id. On a new database without statistics the planner chose an index by house, and
-- every movement read all items of its house. `+ 0` leaves it no such index.
create or replace function continue_the_ledger() returns trigger language plpgsql as $$
begin
  perform from items
  where id = new.item_id and stock_seq = new.seq and quantity = new.quantity_after and house + 0 = new.house
    and (new.seq = 1 or exists (
      select from stock_movements
      where item_id = new.item_id and seq = new.seq - 1 and quantity_after = new.quantity_before));
  if not found then
    raise exception 'a movement continues the one before it and ends at what is on the shelf';
  end if;
  if exists (select from item_events where id = new.id) or exists (select from settings_events where id = new.id) then
    raise unique_violation using message = 'this id belongs to another entry';
  end if;
  return null;
end $$;
