-- Files that people import. A file is read once, into rows of text; then its columns are mapped, it is checked, and its
-- rows are imported in small steps. A step moves `done` forward in the same transaction, so no row is imported twice.
create table imports (
  num bigint generated always as identity primary key,
  id text collate "C" not null unique,
  house bigint not null references houses (num),
  name text not null,
  actor_id text collate "C" not null references users (id) on delete cascade,
  at bigint not null,
  -- `reading` until all rows are stored. Nobody sees it before.
  state text not null check (state in ('reading', 'ready', 'running', 'done', 'failed')),
  -- How the file was read, and the names of its columns, as JSON.
  file text not null,
  -- What each column holds, as JSON.
  mapping text not null,
  mode text not null check (mode in ('add', 'update', 'both')),
  row_count bigint not null check (row_count >= 0),
  done bigint not null check (done between 0 and row_count),
  batch text collate "C" unique,
  added bigint not null,
  changed bigint not null,
  skipped bigint not null,
  bad bigint not null,
  touched_at bigint not null
);
create index imports_of_house on imports (house, num);
create index imports_by_state on imports (state, touched_at);
create index imports_of_person on imports (actor_id);

-- The rows of a file, some hundred in each row of this table, as JSON.
create table import_chunks (
  import_id text collate "C" not null references imports (id) on delete cascade,
  chunk bigint not null,
  rows text not null,
  primary key (import_id, chunk)
);

-- What is wrong with the rows of a chunk, as JSON. Most chunks have no row here, so a list of problems reads few of them.
create table import_problems (
  import_id text collate "C" not null references imports (id) on delete cascade,
  chunk bigint not null,
  problems text not null,
  primary key (import_id, chunk)
);
