-- No two entries of the history have the same id, even in different tables: undoing one could undo the other.
create function refuse_id_of_movement() returns trigger language plpgsql as $$
begin
  perform from stock_movements where id = new.id;
  if found then raise unique_violation using message = 'this id belongs to another entry'; end if;
  return new;
end $$;
create trigger item_events_have_their_own_id before insert on item_events
for each row execute function refuse_id_of_movement();

create function refuse_id_of_event() returns trigger language plpgsql as $$
begin
  perform from item_events where id = new.id;
  if found then raise unique_violation using message = 'this id belongs to another entry'; end if;
  return new;
end $$;
create trigger stock_movements_have_their_own_id before insert on stock_movements
for each row execute function refuse_id_of_event();
