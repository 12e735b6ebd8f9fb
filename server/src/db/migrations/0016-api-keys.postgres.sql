-- Keys for scripts and scanners. Only the SHA-256 of a key is stored: reading this table opens nothing. A revoked key has no row.
create table api_keys (
  key_hash text collate "C" primary key,
  id text collate "C" not null unique,
  user_id text collate "C" not null references users (id) on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'stock', 'full')),
  -- Null: the key never expires.
  expires_at bigint,
  created_at bigint not null,
  last_used_at bigint
);
create index api_keys_user on api_keys (user_id);
