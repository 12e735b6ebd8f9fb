-- Changes of what everyone in the warehouse shares: who changed which setting, from what to what. Append-only like the
-- rest of the history. Other kinds of entries about settings and people can be added without a new table.
create table settings_events (
  -- The order in which they happened, also when the clock stood still.
  num integer primary key,
  id text not null unique,
  kind text not null,
  -- [{"field", "from", "to"}]
  changes text not null,
  actor_id text not null,
  actor_name text not null,
  at integer not null,
  -- The event that this one undoes.
  undoes text references settings_events (id)
) strict;
create index settings_events_by_time on settings_events (at, id);
create index settings_events_by_actor on settings_events (actor_id, at, id);
create unique index settings_events_by_undone on settings_events (undoes) where undoes is not null;
-- To find the reorder point at an instant, take the first later change of it, as for the fields of an item.
create index settings_events_of_reorder_point on settings_events (at, num) where changes glob '*"field":"reorderPoint"*';
create trigger settings_events_are_never_changed before update on settings_events
begin select raise(abort, 'history is append-only'); end;
create trigger settings_events_are_never_deleted before delete on settings_events
begin select raise(abort, 'history is append-only'); end;

-- No two entries of the history have the same id, even in different tables.
drop trigger stock_movements_have_their_own_id;
drop trigger item_events_have_their_own_id;
create trigger stock_movements_have_their_own_id before insert on stock_movements
when exists (select 1 from item_events where id = new.id) or exists (select 1 from settings_events where id = new.id)
begin select raise(abort, 'this id belongs to another entry'); end;
create trigger item_events_have_their_own_id before insert on item_events
when exists (select 1 from stock_movements where id = new.id) or exists (select 1 from settings_events where id = new.id)
begin select raise(abort, 'this id belongs to another entry'); end;
create trigger settings_events_have_their_own_id before insert on settings_events
when exists (select 1 from stock_movements where id = new.id) or exists (select 1 from item_events where id = new.id)
begin select raise(abort, 'this id belongs to another entry'); end;
