-- A change of the feed names the movement, or the entry in the history, that it made. Webhooks found it by its time before,
-- and an item can change more than once in a millisecond.
alter table changes add column entry text;

-- What webhooks may not have been told yet: the first change of an item at one time made its first entry, and so on.
update changes set entry = made.id from (
  select c.seq, m.id
  from (
    select seq, item_id, at, row_number() over (partition by item_id, at order by seq) as n
    from changes where kind in ('created', 'stock') and exists (select 1 from webhook_cursor)
  ) as c
  join (
    select id, item_id, at, row_number() over (partition by item_id, at order by seq) as n
    from stock_movements where item_id in (select item_id from changes where exists (select 1 from webhook_cursor))
  ) as m on m.item_id = c.item_id and m.at = c.at and m.n = c.n
  union all
  select c.seq, e.id
  from (
    select seq, item_id, kind, at, row_number() over (partition by item_id, kind, at order by seq) as n
    from changes where kind in ('edited', 'deleted', 'restored') and exists (select 1 from webhook_cursor)
  ) as c
  join (
    select id, item_id, kind, at, row_number() over (partition by item_id, kind, at order by num) as n
    from item_events where item_id in (select item_id from changes where exists (select 1 from webhook_cursor))
  ) as e on e.item_id = c.item_id and e.kind = c.kind and e.at = c.at and e.n = c.n
) as made where changes.seq = made.seq;
