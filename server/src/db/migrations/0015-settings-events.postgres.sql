-- Changes of what everyone in the warehouse shares: who changed which setting, from what to what. Append-only like the
-- rest of the history. Other kinds of entries about settings and people can be added without a new table.
create table settings_events (
  -- The order in which they happened, also when the clock stood still.
  num bigint generated always as identity primary key,
  id text collate "C" not null unique,
  kind text not null,
  -- [{"field", "from", "to"}]
  changes text not null,
  actor_id text not null,
  actor_name text not null,
  at bigint not null,
  -- The event that this one undoes.
  undoes text collate "C" references settings_events (id)
);
create index settings_events_by_time on settings_events (at, id);
create index settings_events_by_actor on settings_events (actor_id, at, id);
create unique index settings_events_by_undone on settings_events (undoes) where undoes is not null;
-- To find the reorder point at an instant, take the first later change of it, as for the fields of an item.
create index settings_events_of_reorder_point on settings_events (at, num) where strpos(changes, '"field":"reorderPoint"') > 0;
create trigger settings_events_are_append_only before update or delete on settings_events
for each row execute function refuse_change('history is append-only');
create trigger settings_events_are_never_emptied before truncate on settings_events
for each statement execute function refuse_change('history is append-only');

-- No two entries of the history have the same id, even in different tables.
create or replace function refuse_id_of_movement() returns trigger language plpgsql as $$
begin
  if exists (select from stock_movements where id = new.id) or exists (select from settings_events where id = new.id) then
    raise unique_violation using message = 'this id belongs to another entry';
  end if;
  return new;
end $$;
create function refuse_id_of_item_entry() returns trigger language plpgsql as $$
begin
  if exists (select from stock_movements where id = new.id) or exists (select from item_events where id = new.id) then
    raise unique_violation using message = 'this id belongs to another entry';
  end if;
  return new;
end $$;
create trigger settings_events_have_their_own_id before insert on settings_events
for each row execute function refuse_id_of_item_entry();
create or replace function continue_the_ledger() returns trigger language plpgsql as $$
begin
  perform from items
  where id = new.item_id and stock_seq = new.seq and quantity = new.quantity_after and (new.seq = 1 or exists (
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
