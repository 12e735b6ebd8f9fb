-- Every new name that a person gave themself. Rows never change and go only with the account.
create table renames (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  from_name text not null,
  to_name text not null,
  at integer not null
) strict, without rowid;
create index renames_by_time on renames (at, id);
create index renames_by_user on renames (user_id, at, id);
create trigger renames_are_never_changed before update on renames
begin select raise(abort, 'renames are append-only'); end;
create trigger renames_are_never_deleted before delete on renames
when exists (select 1 from users where id = old.user_id)
begin select raise(abort, 'renames are append-only'); end;
