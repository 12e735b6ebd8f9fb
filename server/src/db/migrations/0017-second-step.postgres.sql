-- When the user of a session last proved who they are, beyond having its cookie. Null: at the login.
alter table sign_ins add column proven_at bigint;

-- Two-step login with an authenticator app. `secret` is encrypted. It counts once `confirmed_at` is set.
-- `last_step` is the time step of the last code that was accepted: a code works once.
create table two_step (
  user_id text collate "C" primary key references users (id) on delete cascade,
  secret text not null,
  confirmed_at bigint,
  last_step bigint not null
);

-- The hashes of recovery codes that are not used up.
create table recovery_codes (
  user_id text collate "C" not null references users (id) on delete cascade,
  code_hash text collate "C" not null,
  primary key (user_id, code_hash)
);

-- Passkeys: `id` is the id of the credential, `public_key` is in COSE format, both in base64url.
create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  name text not null,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  created_at bigint not null,
  used_at bigint
);
create index passkeys_user on passkeys (user_id);
