-- Houses: whose stock it is. Every table of the stock has the number of the house it belongs to, and every index that
-- lists something starts with it, so that a house is read as fast as if it were alone. What was there before belongs to
-- house 1, the one that everybody shares as long as ACCESS=open.
create table houses (
  num integer primary key,
  id text not null unique,
  name text not null,
  -- The last part of the address of its public page.
  slug text not null unique,
  -- 1: visitors see its items.
  published integer not null default 0 check (published in (0, 1)),
  -- Its items with a number below this do not have its `published` yet; null if all of them do.
  publish_below integer,
  -- The reorder point of items without one of their own, when it was set, and how far it has been applied to them: the
  -- numbers of the last item updated and of the last item to update.
  reorder_point integer not null default 10 check (reorder_point between 0 and 1000000000),
  reorder_point_at integer not null default 0,
  applied_to integer,
  apply_until integer,
  created_at integer not null,
  -- A deleted house has no members. Its ledger stays.
  deleted_at integer
) strict;
insert into houses (num, id, name, slug, reorder_point, reorder_point_at, created_at)
select 1, '00000000-0000-4000-8000-000000000001', 'Perfume Warehouse', 'perfume-warehouse',
  coalesce((select cast(value as integer) from settings where name = 'reorderPoint'), 10),
  coalesce((select cast(value as integer) from settings where name = 'reorderPointAt'), 0),
  coalesce((select min(created_at) from items), 0);
update houses set applied_to = 0, apply_until = (select coalesce(max(num), 0) from items)
where exists (select 1 from settings where name = 'followReorderPoint');
delete from settings where name in ('reorderPoint', 'reorderPointAt', 'followReorderPoint');

create index houses_applying on houses (num) where applied_to is not null;
create index houses_published on houses (num) where published = 1;
create index houses_publishing on houses (num) where publish_below is not null;

create table members (
  house integer not null references houses (num),
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'manager', 'keeper', 'viewer')),
  joined_at integer not null,
  primary key (user_id, house)
) strict, without rowid;
create index members_of_house on members (house, role, user_id);

-- Invitations into a house that nobody has used yet. Only the SHA-256 of the token in the link is stored.
create table house_invitations (
  id text primary key,
  house integer not null references houses (num),
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'manager', 'keeper', 'viewer')),
  token_hash text not null unique,
  invited_by text not null,
  created_at integer not null,
  expires_at integer not null,
  unique (house, email_key)
) strict, without rowid;
create index house_invitations_by_end on house_invitations (expires_at);

-- The house that a person works in when a request does not name one.
alter table users add column house integer;
-- Since when the person cannot log in or use anything they were logged in with.
alter table users add column disabled_at integer;
alter table users add column operator integer not null default 0 check (operator in (0, 1));
create unique index users_one_operator on users (operator) where operator = 1;
-- Whoever runs the server: the first account whose address is verified. On a server that has accounts already, nobody
-- becomes it by signing up.
create trigger users_first_is_operator after update of email_verified on users
when new.email_verified = 1 and not exists (select 1 from users where email_verified = 1 and id <> new.id)
begin update users set operator = 1 where id = new.id; end;
create trigger users_first_is_operator_at_once after insert on users
when new.email_verified = 1 and not exists (select 1 from users where email_verified = 1 and id <> new.id)
begin update users set operator = 1 where id = new.id; end;
-- The house that a key works in.
alter table api_keys add column house integer not null default 1;

-- Items.
alter table items add column house integer not null default 1;
drop index items_by_num;
drop index items_by_name;
drop index items_by_price;
drop index items_by_quantity;
drop index items_by_email;
drop index items_low;
drop index items_by_creation;
drop index items_by_supplier;
create index items_by_num on items (house, num, name_key, supplier_key) where deleted_at is null;
create index items_by_name on items (house, name_key, num) where deleted_at is null;
create index items_by_price on items (house, price_cents, num) where deleted_at is null;
create index items_by_quantity on items (house, quantity, num) where deleted_at is null;
create index items_by_email on items (house, email_key, num) where deleted_at is null;
create index items_low on items (house, num) where deleted_at is null and quantity <= low_at;
create index items_by_creation on items (house, created_at);
-- The house comes second, so that SQLite does not take this index for questions about the whole house.
create index items_by_supplier on items (supplier_key, house);

-- What visitors see is the items of several houses in one order. These indexes contain only items of published houses, so
-- they are empty with ACCESS=open. New, restored and moved items get the value of their house here; when a house is
-- published, its items get it in batches (`houses.publish_below`).
alter table items add column published integer not null default 0;
create index items_published_by_num on items (published, num, house, name_key, supplier_key)
  where published = 1 and deleted_at is null;
create index items_published_by_name on items (published, name_key, num) where published = 1 and deleted_at is null;
create index items_published_by_price on items (published, price_cents, num) where published = 1 and deleted_at is null;
create index items_published_by_quantity on items (published, quantity, num) where published = 1 and deleted_at is null;
create trigger items_publish_insert after insert on items
when new.published <> (select published from houses where num = new.house)
begin update items set published = 1 - published where num = new.num; end;
create trigger items_publish_change after update of deleted_at, house on items
when new.deleted_at is null and new.published <> (select published from houses where num = new.house)
begin update items set published = 1 - published where num = new.num; end;

drop trigger items_tally_insert;
drop trigger items_tally_delete;
create table item_tallies_of_houses (
  house integer not null,
  slot integer not null,
  live integer not null,
  primary key (house, slot)
) strict, without rowid;
insert into item_tallies_of_houses select 1, slot, live from item_tallies;
drop table item_tallies;
alter table item_tallies_of_houses rename to item_tallies;
create trigger items_tally_insert after insert on items when new.deleted_at is null
begin
  insert into item_tallies values (new.house, 0, 1) on conflict (house, slot) do update set live = live + 1;
end;
create trigger items_tally_change after update of deleted_at, house on items
when (old.deleted_at is null) <> (new.deleted_at is null) or old.house <> new.house
begin
  update item_tallies set live = live - 1 where house = old.house and slot = 0 and old.deleted_at is null;
  insert into item_tallies select new.house, 0, 1 where new.deleted_at is null
    on conflict (house, slot) do update set live = live + 1;
end;

-- A code leads to one item of a house.
drop trigger items_add_codes;
drop trigger items_change_codes;
create table item_codes_of_houses (
  house integer not null,
  code_key text not null,
  item_id text not null references items (id),
  primary key (house, code_key)
) strict, without rowid;
insert into item_codes_of_houses select 1, code_key, item_id from item_codes;
drop table item_codes;
alter table item_codes_of_houses rename to item_codes;
create index item_codes_by_item on item_codes (item_id);
create trigger items_add_codes after insert on items when new.code_keys <> '[]' and new.deleted_at is null
begin insert into item_codes select new.house, value, new.id from json_each(new.code_keys); end;
create trigger items_change_codes after update of code_keys, deleted_at, house on items
when (old.code_keys <> '[]' or new.code_keys <> '[]')
  and (old.code_keys <> new.code_keys or old.house <> new.house or (old.deleted_at is null) <> (new.deleted_at is null))
begin
  delete from item_codes where item_id = old.id;
  insert into item_codes select new.house, value, new.id from json_each(new.code_keys) where new.deleted_at is null;
end;

-- The ledger. A movement has the house of its item. Only the command that assigns items to houses may change it, and
-- nothing else of a movement.
alter table stock_movements add column house integer not null default 1;
drop index stock_movements_by_time;
drop index stock_movements_by_actor;
drop index stock_movements_by_kind;
drop index stock_movements_by_reason;
create index stock_movements_by_time on stock_movements (house, at, id);
create index stock_movements_by_actor on stock_movements (house, actor_id, at, id);
create index stock_movements_by_kind on stock_movements (house, kind, at, id) where kind <> 'deliver';
create index stock_movements_by_reason on stock_movements (house, reason, at, id) where reason is not null;
drop trigger stock_movements_continue_the_ledger;
create trigger stock_movements_continue_the_ledger after insert on stock_movements
begin
  select raise(abort, 'a movement continues the one before it and ends at what is on the shelf')
  where not exists (
      select 1 from items
      where id = new.item_id and stock_seq = new.seq and quantity = new.quantity_after and house = new.house)
    or (new.seq > 1 and not exists (
      select 1 from stock_movements
      where item_id = new.item_id and seq = new.seq - 1 and quantity_after = new.quantity_before));
end;
drop trigger stock_movements_are_never_changed;
create trigger stock_movements_are_never_changed before update of id, item_id, seq, kind, delta, quantity_before,
  quantity_after, actor_id, actor_name, at, note, undoes, batch, undone_kind, hash, undone_at, reason on stock_movements
begin select raise(abort, 'the ledger is append-only'); end;

alter table item_events add column house integer not null default 1;
drop index item_events_by_time;
drop index item_events_by_actor;
create index item_events_by_time on item_events (house, at, id);
create index item_events_by_actor on item_events (house, actor_id, at, id);
drop trigger item_events_are_never_changed;
create trigger item_events_are_never_changed before update of num, id, item_id, kind, changes, actor_id, actor_name, at,
  batch, undoes on item_events
begin select raise(abort, 'history is append-only'); end;

-- The first edits of each field (0010), found house by house.
drop index item_events_of_name;
create index item_events_of_name on item_events (house, item_id, at, num) where changes glob '*"field":"name"*';
drop index item_events_of_price;
create index item_events_of_price on item_events (house, item_id, at, num) where changes glob '*"field":"priceCents"*';
drop index item_events_of_image;
create index item_events_of_image on item_events (house, item_id, at, num) where changes glob '*"field":"imageUrl"*';
drop index item_events_of_description;
create index item_events_of_description on item_events (house, item_id, at, num) where changes glob '*"field":"description"*';
drop index item_events_of_supplier;
create index item_events_of_supplier on item_events (house, item_id, at, num) where changes glob '*"field":"supplierName"*';
drop index item_events_of_email;
create index item_events_of_email on item_events (house, item_id, at, num) where changes glob '*"field":"email"*';
drop index item_events_of_reorder_point;
create index item_events_of_reorder_point on item_events (house, item_id, at, num) where changes glob '*"field":"reorderPoint"*';
drop index item_events_of_sku;
create index item_events_of_sku on item_events (house, item_id, at, num) where changes glob '*"field":"sku"*';
drop index item_events_of_barcodes;
create index item_events_of_barcodes on item_events (house, item_id, at, num) where changes glob '*"field":"barcodes"*';
drop index item_events_of_deletion;
create index item_events_of_deletion on item_events (house, item_id, num, at, kind) where kind <> 'edited';

alter table settings_events add column house integer not null default 1;
drop index settings_events_by_time;
drop index settings_events_by_actor;
drop index settings_events_of_reorder_point;
create index settings_events_by_time on settings_events (house, at, id);
create index settings_events_by_kind on settings_events (house, kind, at, id);
create index settings_events_by_actor on settings_events (house, actor_id, at, id);
create index settings_events_of_reorder_point on settings_events (house, at, num)
  where changes glob '*"field":"reorderPoint"*';

-- Figures over time, each house for itself.
alter table shelf_changes add column house integer not null default 1;
drop index shelf_changes_by_time;
create index shelf_changes_by_time on shelf_changes (house, at);
drop trigger items_note_shelf_changes;
create trigger items_note_shelf_changes after update of price_cents, deleted_at on items
when new.price_cents <> old.price_cents or (new.deleted_at is null) <> (old.deleted_at is null)
begin
  insert into shelf_changes (house, item, at, stock_seq, quantity, price_before, price_after, live_before, live_after)
  values (new.house, new.num, new.updated_at, new.stock_seq, new.quantity, old.price_cents, new.price_cents,
    old.deleted_at is null, new.deleted_at is null);
end;
create table stock_hours_of_houses (
  house integer not null,
  hour integer not null,
  movements integer not null,
  units integer not null,
  worth_e9 integer not null,
  worth integer not null,
  delivered integer not null,
  restocked integer not null,
  corrected integer not null,
  primary key (house, hour)
) strict, without rowid;
insert into stock_hours_of_houses
select 1, hour, movements, units, worth_e9, worth, delivered, restocked, corrected from stock_hours;
drop table stock_hours;
alter table stock_hours_of_houses rename to stock_hours;
create table stock_summed_of_houses (house integer primary key, until integer not null) strict;
insert into stock_summed_of_houses select 1, until from stock_summed;
drop table stock_summed;
alter table stock_summed_of_houses rename to stock_summed;

-- Alerts.
alter table stock_alerts add column house integer not null default 1;
drop index stock_alerts_by_time;
drop index stock_alerts_in_order;
create index stock_alerts_by_time on stock_alerts (house, at, num);
create index stock_alerts_in_order on stock_alerts (house, txid, num);
create index stock_alerts_by_age on stock_alerts (at);
drop trigger items_alert;
create trigger items_alert after update of quantity, low_at on items
when new.deleted_at is null and (
  (new.quantity = 0 and old.quantity > 0)
  or (new.quantity <= new.low_at and old.quantity > old.low_at)
  or (new.quantity > new.low_at and old.quantity <= old.low_at and new.quantity <> old.quantity))
begin
  insert into stock_alerts (house, item_id, seq, kind, quantity, low_at, at)
  values (new.house, new.id, new.stock_seq,
    case when new.quantity > new.low_at then 'recovered' when new.quantity = 0 then 'out' else 'low' end,
    new.quantity, new.low_at,
    case when new.low_at = old.low_at then new.updated_at
      else max(new.updated_at, coalesce((select reorder_point_at from houses where num = new.house), 0))
    end)
  on conflict do nothing;
end;

-- Each person chooses for each of their houses.
create table alert_choices_of_houses (
  user_id text not null references users (id) on delete cascade,
  house integer not null,
  mail text not null default 'daily' check (mail in ('off', 'at_once', 'daily')),
  about text not null default 'mine' check (about in ('mine', 'all')),
  seen_txid integer not null default 0,
  seen_num integer not null default 0,
  digest_at integer,
  digest_from integer,
  mailed_hour integer not null default 0,
  mailed_in_hour integer not null default 0,
  mailed_day integer not null default 0,
  mailed_in_day integer not null default 0,
  held_from integer,
  primary key (user_id, house)
) strict, without rowid;
insert into alert_choices_of_houses
select user_id, 1, mail, about, seen_txid, seen_num, digest_at, digest_from, mailed_hour, mailed_in_hour, mailed_day,
  mailed_in_day, held_from
from alert_choices;
drop table alert_choices;
alter table alert_choices_of_houses rename to alert_choices;
create index alert_choices_held on alert_choices (user_id) where held_from is not null;

-- Counts.
alter table count_sessions add column house integer not null default 1;
drop index count_sessions_by_state;
create index count_sessions_by_state on count_sessions (house, state, num);
create index count_sessions_in_order on count_sessions (house, num);

-- The change feed: each screen gets the changes of its house. 'house' rows say that the people or the name of the house
-- have changed.
create table changes_of_houses (
  seq integer primary key,
  house integer not null default 1,
  item_id text not null,
  kind text not null check (kind in ('created', 'stock', 'edited', 'deleted', 'restored', 'count', 'house')),
  at integer not null
) strict;
insert into changes_of_houses (seq, item_id, kind, at) select seq, item_id, kind, at from changes;
drop table changes;
alter table changes_of_houses rename to changes;
