-- Saved views: the filters of a page under a name, for one person or for everybody in the house.
create table views (
  id text primary key,
  house integer not null references houses (num),
  user_id text not null references users (id) on delete cascade,
  name text not null,
  page text not null check (page in ('manageInventory', 'myItems', 'history', 'analysetic')),
  -- The query string of the page, as the page wrote it.
  query text not null,
  -- 1: everybody in the house sees it.
  shared integer not null check (shared in (0, 1)),
  -- 1: it is in the sidebar of everybody who sees it.
  pinned integer not null check (pinned in (0, 1)),
  created_at integer not null,
  updated_at integer not null,
  -- Kept for a day, so that the deletion can be undone.
  deleted_at integer
) strict, without rowid;
create index views_of_person on views (user_id, house);
create index views_shared on views (house) where shared = 1;

-- The change feed also says that a saved view has changed: 'view' rows name none, because it may be private.
create table changes_with_views (
  seq integer primary key,
  house integer not null default 1,
  item_id text not null,
  kind text not null check (kind in ('created', 'stock', 'edited', 'deleted', 'restored', 'count', 'house', 'view')),
  at integer not null
) strict;
insert into changes_with_views (seq, house, item_id, kind, at) select seq, house, item_id, kind, at from changes;
drop table changes;
alter table changes_with_views rename to changes;
