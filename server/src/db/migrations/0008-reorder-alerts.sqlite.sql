-- A reorder point that is raised above what is on the shelf alerts as well. No movement crossed then, so an alert is
-- known by the movement that left the shelf as it is, and by its kind. SQLite cannot change what is unique in a table:
-- it is made anew.

drop trigger items_alert;
create table stock_alerts_anew (
  num integer primary key autoincrement,
  -- As in the change feed: here one writer numbers the rows, so it is always 0.
  txid integer not null default 0,
  item_id text not null,
  -- The last movement before the alert. What it left on the shelf is told once of each kind.
  seq integer not null,
  kind text not null check (kind in ('low', 'out', 'recovered')),
  quantity integer not null,
  low_at integer not null,
  at integer not null,
  -- The round of letters that took it; null until then, so that of several servers one writes.
  round text,
  unique (item_id, seq, kind),
  foreign key (item_id, seq) references stock_movements (item_id, seq) deferrable initially deferred
) strict;
insert into stock_alerts_anew select * from stock_alerts;
-- Numbers go on from the last one given, also where alerts have been forgotten since.
delete from sqlite_sequence where name = 'stock_alerts_anew';
insert into sqlite_sequence (name, seq) select 'stock_alerts_anew', seq from sqlite_sequence where name = 'stock_alerts';
drop table stock_alerts;
alter table stock_alerts_anew rename to stock_alerts;
create index stock_alerts_by_time on stock_alerts (at, num);
create index stock_alerts_in_order on stock_alerts (txid, num);
create index stock_alerts_untold on stock_alerts (num) where round is null;

-- The rule is `crossing` in domain/alerts.ts. A new reorder point of the warehouse does not touch the times of its items:
-- the settings say when it was set.
create trigger items_alert after update of quantity, low_at on items
when new.deleted_at is null and (
  (new.quantity = 0 and old.quantity > 0)
  or (new.quantity <= new.low_at and old.quantity > old.low_at)
  or (new.quantity > new.low_at and old.quantity <= old.low_at and new.quantity <> old.quantity))
begin
  insert into stock_alerts (item_id, seq, kind, quantity, low_at, at)
  values (new.id, new.stock_seq,
    case when new.quantity > new.low_at then 'recovered' when new.quantity = 0 then 'out' else 'low' end,
    new.quantity, new.low_at,
    case when new.low_at = old.low_at then new.updated_at
      else max(new.updated_at, coalesce((select cast(value as integer) from settings where name = 'reorderPointAt'), 0))
    end)
  on conflict do nothing;
end;
