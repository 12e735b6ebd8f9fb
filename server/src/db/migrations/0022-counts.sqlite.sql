-- Count sessions: several people count the same items at once, then post the differences as one batch of corrections.
-- What belongs to a session is a filter, not a list of rows: a session over a large warehouse starts with one row.
create table count_sessions (
  num integer primary key,
  id text not null unique,
  name text not null,
  -- The filter: a search, a state of stock, and whether only items of whoever opened the session belong to it.
  q text,
  stock text check (stock in ('in', 'low', 'out')),
  mine integer not null check (mine in (0, 1)),
  -- 1: the screens hide the expected quantity while people count.
  blind integer not null check (blind in (0, 1)),
  opened_by text not null,
  opened_at integer not null,
  state text not null check (state in ('open', 'posting', 'posted', 'cancelled')),
  -- Of the posting: the batch of its corrections, and the reason and note of lines without their own.
  batch text,
  reason text check (reason in ('breakage', 'tester', 'theft', 'miscount', 'other')),
  note text,
  closed_by text,
  closed_at integer,
  -- Who last renamed, cancelled or reopened it.
  changed_by text,
  changed_at integer,
  -- The number of its lines, kept with them, so that a list of sessions counts nothing.
  counted integer not null default 0 check (counted >= 0)
) strict;
create index count_sessions_by_state on count_sessions (state, num);
create index count_sessions_of_person on count_sessions (opened_by, state);
create unique index count_sessions_by_batch on count_sessions (batch) where batch is not null;

-- What each person counted. Rows never change: an undo is a later row.
create table count_entries (
  num integer primary key,
  id text not null unique,
  session_id text not null references count_sessions (id),
  item_id text not null references items (id),
  -- 1, 2, 3 … among the entries of this item in this session: a line that has too many takes no more.
  seq integer not null,
  kind text not null check (kind in ('add', 'set', 'undo')),
  units integer not null check (units between -1000000000 and 1000000000),
  -- The number of movements and the quantity of the item at that moment.
  stock_seq integer not null,
  quantity integer not null,
  actor_id text not null,
  actor_name text not null,
  at integer not null,
  undoes text references count_entries (id),
  check ((kind = 'undo') = (undoes is not null))
) strict;
create index count_entries_of_item on count_entries (session_id, item_id, num);
create index count_entries_people on count_entries (session_id, item_id, actor_id) where undoes is null;
create index count_entries_of_person on count_entries (session_id, actor_id, num);
create index count_entries_by_actor on count_entries (actor_id, num);
create index count_entries_in_order on count_entries (session_id, num);
create unique index count_entries_by_undone on count_entries (undoes) where undoes is not null;
create trigger count_entries_are_never_changed before update on count_entries
begin select raise(abort, 'counts are append-only'); end;
create trigger count_entries_are_never_deleted before delete on count_entries
begin select raise(abort, 'counts are append-only'); end;

-- The sum of the entries of one item, kept with them, and what people decided about it.
create table count_lines (
  session_id text not null references count_sessions (id),
  item_id text not null references items (id),
  counted integer not null check (counted between 0 and 1000000000),
  first_seq integer not null,
  first_at integer not null,
  last_seq integer not null,
  last_at integer not null,
  last_by text not null,
  -- The last entry. Lists show the latest first.
  last_num integer not null,
  done_seq integer,
  expected integer not null,
  difference integer not null,
  -- Where the difference is in doubt: whether to post it or to leave the item alone, decided at this number of movements.
  decision text check (decision in ('post', 'leave')),
  decided_seq integer,
  reason text check (reason in ('breakage', 'tester', 'theft', 'miscount', 'other')),
  note text,
  -- Who last set the decision, the reason or the note.
  reviewed_by text,
  reviewed_at integer,
  -- Of the posting: 'posted', or why the difference was refused.
  outcome text,
  primary key (session_id, item_id)
) strict, without rowid;
create index count_lines_in_order on count_lines (session_id, last_num);
create index count_lines_differing on count_lines (session_id, last_num) where difference <> 0;
create index count_lines_unfinished on count_lines (session_id) where done_seq is null;
create index count_lines_to_post on count_lines (session_id, item_id) where difference <> 0 and outcome is null;

-- Whether somebody corrected an item after it was counted, without reading its deliveries.
create index stock_movements_correcting on stock_movements (item_id, seq) where kind in ('correction', 'undo');

-- The change feed also says which session was counted in: 'count' rows have the id of the session in item_id.
create table changes_with_counts (
  seq integer primary key,
  item_id text not null,
  kind text not null check (kind in ('created', 'stock', 'edited', 'deleted', 'restored', 'count')),
  at integer not null
) strict;
insert into changes_with_counts (seq, item_id, kind, at) select seq, item_id, kind, at from changes;
drop table changes;
alter table changes_with_counts rename to changes;
