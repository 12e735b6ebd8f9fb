-- The value of a field at an instant is what its first edit after that instant changed it from. Each field has an index of the
-- edits that changed it, so finding that edit takes one lookup, however often the item was edited since. In JSON a quote inside
-- a text is escaped, so no text that people type looks like the name of a field.
create index item_events_of_name on item_events (item_id, at, num) where strpos(changes, '"field":"name"') > 0;
create index item_events_of_price on item_events (item_id, at, num) where strpos(changes, '"field":"priceCents"') > 0;
create index item_events_of_image on item_events (item_id, at, num) where strpos(changes, '"field":"imageUrl"') > 0;
create index item_events_of_description on item_events (item_id, at, num) where strpos(changes, '"field":"description"') > 0;
create index item_events_of_supplier on item_events (item_id, at, num) where strpos(changes, '"field":"supplierName"') > 0;
create index item_events_of_email on item_events (item_id, at, num) where strpos(changes, '"field":"email"') > 0;
create index item_events_of_reorder_point on item_events (item_id, at, num) where strpos(changes, '"field":"reorderPoint"') > 0;

-- Deletions and restorations, found without reading the edits between them.
create index item_events_of_deletion on item_events (item_id, num, at, kind) where kind <> 'edited';
