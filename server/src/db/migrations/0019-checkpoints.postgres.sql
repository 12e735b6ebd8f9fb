-- Signed checkpoints. Each one lists what the append-only tables ("books") gained since the one before it, and carries a hash
-- over that list and the previous hash. Who keeps a checkpoint elsewhere can tell later whether anything before it changed.
create table checkpoints (
  number bigint primary key check (number >= 1),
  -- When the search for new rows began, in milliseconds.
  at bigint not null,
  -- 1: together with those before it, it covers everything that was committed by then. 0: more follows.
  complete bigint not null check (complete in (0, 1)),
  -- For each book the rows it added, all rows covered so far, and the highest position, as JSON.
  books text not null,
  -- The hash of its entries in order, the hash of the previous checkpoint, and the hash over all columns above and the key.
  content text not null,
  previous text not null,
  hash text not null,
  public_key text not null,
  signature text not null
);

-- What a checkpoint covers. For stock_movements: the movements of the item `subject` up to the number `position`, with the hash of
-- that movement, which covers the ones before it. For other books: one row, by its number, and its hash.
create table checkpoint_entries (
  book text collate "C" not null,
  subject text collate "C" not null,
  position bigint not null,
  checkpoint bigint not null references checkpoints (number),
  hash text not null,
  primary key (book, subject, position)
);

create trigger checkpoints_are_append_only before update or delete on checkpoints
for each row execute function refuse_change('checkpoints are append-only');
create trigger checkpoints_are_never_emptied before truncate on checkpoints
for each statement execute function refuse_change('checkpoints are append-only');
create trigger checkpoint_entries_are_append_only before update or delete on checkpoint_entries
for each row execute function refuse_change('checkpoints are append-only');
create trigger checkpoint_entries_are_never_emptied before truncate on checkpoint_entries
for each statement execute function refuse_change('checkpoints are append-only');
