-- The entries of a bulk action are undone in the order of their ids, a hundred at a time.
drop index stock_movements_by_batch;
create index stock_movements_by_batch on stock_movements (batch, id) where batch is not null;
drop index item_events_by_batch;
create index item_events_by_batch on item_events (batch, id) where batch is not null;
