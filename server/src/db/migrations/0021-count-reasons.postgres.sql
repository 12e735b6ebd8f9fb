-- Why a count differed from what was recorded. Only a correction has a reason, and it may have none.
alter table stock_movements add column reason text
  check (reason is null or (kind = 'correction' and reason in ('breakage', 'tester', 'theft', 'miscount', 'other')));
create index stock_movements_by_reason on stock_movements (reason, at, id) where reason is not null;

-- The hash covers the reason. Without one it is the hash that the function with 13 arguments returns, so no row changes. That
-- function stays: a server of the version before this one calls it until it is stopped.
create function ledger_hash(before text, item_id text, seq bigint, id text, kind text, delta bigint,
  quantity_after bigint, actor_id text, actor_name text, at bigint, note text, undoes text, batch text, reason text)
returns text language sql immutable as $$
  select encode(sha256(convert_to(before || chr(31) || item_id || chr(31) || seq || chr(31) || id || chr(31) || kind
    || chr(31) || delta || chr(31) || quantity_after || chr(31) || actor_id || chr(31) || actor_name || chr(31) || at
    || chr(31) || coalesce(note, '') || chr(31) || coalesce(undoes, '') || chr(31) || coalesce(batch, '')
    || coalesce(chr(31) || reason, ''), 'UTF8')), 'hex')
$$;
