-- People, and where they are signed in. A token is kept as its hash: reading this table signs nobody in.

create table users (
  id text collate "C" primary key,
  email text not null,
  email_key text collate "C" not null unique,
  name text not null,
  email_verified bigint not null check (email_verified in (0, 1)),
  created_at bigint not null
);

create table sign_ins (
  token_hash text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  expires_at bigint not null
);
