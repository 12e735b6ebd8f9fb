-- People, how they prove who they are, and where they are signed in. A sign-in's token is kept as its hash:
-- reading this table signs nobody in.

create table users (
  id text collate "C" primary key,
  email text not null,
  -- The address folded. Null: someone signed up with an address that is taken, and holds an account nobody can find.
  email_key text collate "C" unique,
  name text not null,
  image text,
  email_verified bigint not null check (email_verified in (0, 1)),
  created_at bigint not null,
  updated_at bigint not null
);
create index users_unverified on users (created_at) where email_verified = 0;

create table sign_ins (
  token_hash text collate "C" primary key,
  id text collate "C" not null unique,
  user_id text collate "C" not null references users (id) on delete cascade,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index sign_ins_user on sign_ins (user_id);
create index sign_ins_expires on sign_ins (expires_at);

-- A password ('credential'), or a person at another provider.
create table accounts (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  provider_id text collate "C" not null,
  account_id text collate "C" not null,
  password text,
  created_at bigint not null,
  updated_at bigint not null,
  unique (provider_id, account_id)
);
create index accounts_user on accounts (user_id);

-- Links in mails and round trips to providers that are still under way. `identifier` is a hash.
create table verifications (
  id text collate "C" primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index verifications_identifier on verifications (identifier);
create index verifications_expires on verifications (expires_at);

-- How often something was tried lately: by an address, on an account, by one on the other.
create table attempts (
  subject text collate "C" primary key,
  count bigint not null,
  until bigint not null
);
create index attempts_until on attempts (until);
