-- Low stock. An alert is written by the change of stock that crossed a line, in the same transaction and by the
-- database itself: whatever path a change takes, it tells exactly once.

create table stock_alerts (
  num bigint generated always as identity primary key,
  -- As in the change feed: numbers may be committed in another order than they were taken. Whoever reads only what
  -- ended before everything still running has in (txid, num) an order without gaps.
  txid bigint not null default (pg_current_xact_id()::text::bigint),
  item_id text collate "C" not null,
  -- The movement that crossed. One movement, one alert at most.
  seq bigint not null,
  kind text not null check (kind in ('low', 'out', 'recovered')),
  quantity bigint not null,
  low_at bigint not null,
  at bigint not null,
  -- The round of letters that took it; null until then, so that of several servers one writes.
  round text collate "C",
  unique (item_id, seq),
  foreign key (item_id, seq) references stock_movements (item_id, seq) deferrable initially deferred
);
create index stock_alerts_by_time on stock_alerts (at, num);
create index stock_alerts_in_order on stock_alerts (txid, num);
create index stock_alerts_untold on stock_alerts (num) where round is null;

-- The rule is `crossing` in domain/alerts.ts. The reorder point is the one that counts now on both sides of the
-- comparison: stock alerts, changing one's mind about the point does not.
create function alert_of_stock() returns trigger language plpgsql as $$
begin
  insert into stock_alerts (item_id, seq, kind, quantity, low_at, at)
  values (new.id, new.stock_seq,
    case when new.quantity > new.low_at then 'recovered' when new.quantity = 0 then 'out' else 'low' end,
    new.quantity, new.low_at, new.updated_at);
  return null;
end $$;
create trigger items_alert after update of quantity on items
for each row when (new.deleted_at is null and (
  (new.quantity = 0 and old.quantity > 0) or (new.quantity <= new.low_at) <> (old.quantity <= new.low_at)
)) execute function alert_of_stock();

-- How a person wants to hear of it, and how far they have seen. Who has no row gets a digest of their own items.
create table alert_choices (
  user_id text collate "C" primary key references users (id) on delete cascade,
  mail text not null default 'daily' check (mail in ('off', 'at_once', 'daily')),
  about text not null default 'mine' check (about in ('mine', 'all')),
  seen_txid bigint not null default 0,
  seen_num bigint not null default 0,
  -- When the last digest was written, and since when it told.
  digest_at bigint,
  digest_from bigint
);
