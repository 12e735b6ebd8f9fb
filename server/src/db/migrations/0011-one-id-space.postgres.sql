-- No two entries of the history have the same id, even in different tables: undoing one could undo the other.
create function refuse_id_of_movement() returns trigger language plpgsql as $$
begin
  perform from stock_movements where id = new.id;
  if found then raise unique_violation using message = 'this id belongs to another entry'; end if;
  return new;
end $$;
create trigger item_events_have_their_own_id before insert on item_events
for each row execute function refuse_id_of_movement();

-- The guard of the ledger, with the check of the id at its end. A second trigger would make every movement slower.
create or replace function continue_the_ledger() returns trigger language plpgsql as $$
begin
  perform from items
  where id = new.item_id and stock_seq = new.seq and quantity = new.quantity_after and (new.seq = 1 or exists (
    select from stock_movements
    where item_id = new.item_id and seq = new.seq - 1 and quantity_after = new.quantity_before));
  if not found then
    raise exception 'a movement continues the one before it and ends at what is on the shelf';
  end if;
  if exists (select from item_events where id = new.id) then
    raise unique_violation using message = 'this id belongs to another entry';
  end if;
  return null;
end $$;
