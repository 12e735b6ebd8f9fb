-- A reorder point that is raised above what is on the shelf alerts as well. No movement crossed then, so an alert is
-- known by the movement that left the shelf as it is, and by its kind.

alter table stock_alerts drop constraint stock_alerts_item_id_seq_key;
alter table stock_alerts add constraint stock_alerts_item_id_seq_kind_key unique (item_id, seq, kind);

-- A new reorder point of the warehouse does not touch the times of its items: the settings say when it was set.
create or replace function alert_of_stock() returns trigger language plpgsql as $$
begin
  insert into stock_alerts (item_id, seq, kind, quantity, low_at, at)
  values (new.id, new.stock_seq,
    case when new.quantity > new.low_at then 'recovered' when new.quantity = 0 then 'out' else 'low' end,
    new.quantity, new.low_at,
    case when new.low_at = old.low_at then new.updated_at
      else greatest(new.updated_at, (select value::bigint from settings where name = 'reorderPointAt')) end)
  on conflict do nothing;
  return null;
end $$;

-- The rule is `crossing` in domain/alerts.ts.
drop trigger items_alert on items;
create trigger items_alert after update of quantity, low_at on items
for each row when (new.deleted_at is null and (
  (new.quantity = 0 and old.quantity > 0)
  or (new.quantity <= new.low_at and old.quantity > old.low_at)
  or (new.quantity > new.low_at and old.quantity <= old.low_at and new.quantity <> old.quantity)
)) execute function alert_of_stock();
