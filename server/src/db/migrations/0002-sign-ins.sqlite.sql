-- People, and where they are signed in. A token is kept as its hash: reading this table signs nobody in.

create table users (
  id text primary key,
  email text not null,
  email_key text not null unique,
  name text not null,
  email_verified integer not null check (email_verified in (0, 1)),
  created_at integer not null
) strict;

create table sign_ins (
  token_hash text primary key,
  user_id text not null references users (id),
  expires_at integer not null
) strict, without rowid;
