-- No two entries of the history have the same id, even in different tables: undoing one could undo the other.
create trigger stock_movements_have_their_own_id before insert on stock_movements
when exists (select 1 from item_events where id = new.id)
begin select raise(abort, 'this id belongs to another entry'); end;
create trigger item_events_have_their_own_id before insert on item_events
when exists (select 1 from stock_movements where id = new.id)
begin select raise(abort, 'this id belongs to another entry'); end;
