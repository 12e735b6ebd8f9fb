-- Every new name that a person gave themself. Rows never change and go only with the account.
create table renames (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  from_name text not null,
  to_name text not null,
  at bigint not null
);
create index renames_by_time on renames (at, id);
create index renames_by_user on renames (user_id, at, id);
create function keep_rename() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or exists (select 1 from users where id = old.user_id) then
    raise exception 'renames are append-only';
  end if;
  return old;
end $$;
create trigger renames_are_append_only before update or delete on renames
for each row execute function keep_rename();
