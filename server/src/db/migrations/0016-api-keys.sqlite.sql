-- Keys for scripts and scanners. Only the SHA-256 of a key is stored: reading this table opens nothing. A revoked key has no row.
create table api_keys (
  key_hash text primary key,
  id text not null unique,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'stock', 'full')),
  -- Null: the key never expires.
  expires_at integer,
  created_at integer not null,
  last_used_at integer
) strict, without rowid;
create index api_keys_user on api_keys (user_id);
