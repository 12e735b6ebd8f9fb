-- Saved views: the filters of a page under a name, for one person or for everybody in the house.
create table views (
  id text collate "C" primary key,
  house bigint not null references houses (num),
  user_id text collate "C" not null references users (id) on delete cascade,
  name text not null,
  page text not null check (page in ('manageInventory', 'myItems', 'history', 'analysetic')),
  -- The query string of the page, as the page wrote it.
  query text not null,
  -- 1: everybody in the house sees it.
  shared bigint not null check (shared in (0, 1)),
  -- 1: it is in the sidebar of everybody who sees it.
  pinned bigint not null check (pinned in (0, 1)),
  created_at bigint not null,
  updated_at bigint not null,
  -- Kept for a day, so that the deletion can be undone.
  deleted_at bigint
);
create index views_of_person on views (user_id, house);
create index views_shared on views (house) where shared = 1;

-- The change feed also says that a saved view has changed: 'view' rows name none, because it may be private.
alter table changes drop constraint changes_kind_check;
alter table changes add check (kind in ('created', 'stock', 'edited', 'deleted', 'restored', 'count', 'house', 'view'));
