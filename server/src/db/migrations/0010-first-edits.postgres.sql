-- To find the value of a field at an instant, take the first later edit of that field: its old value is the answer. Each field
-- has an index of its edits, so that takes one lookup, however often the item was edited since. The conditions search the JSON
-- text, in which quotes are escaped: no text that people type can look like the name of a field.
create index item_events_of_name on item_events (item_id, at, num) where strpos(changes, '"field":"name"') > 0;
create index item_events_of_price on item_events (item_id, at, num) where strpos(changes, '"field":"priceCents"') > 0;
create index item_events_of_image on item_events (item_id, at, num) where strpos(changes, '"field":"imageUrl"') > 0;
create index item_events_of_description on item_events (item_id, at, num) where strpos(changes, '"field":"description"') > 0;
create index item_events_of_supplier on item_events (item_id, at, num) where strpos(changes, '"field":"supplierName"') > 0;
create index item_events_of_email on item_events (item_id, at, num) where strpos(changes, '"field":"email"') > 0;
create index item_events_of_reorder_point on item_events (item_id, at, num) where strpos(changes, '"field":"reorderPoint"') > 0;

-- Deletions and restorations, found without reading the edits between them.
create index item_events_of_deletion on item_events (item_id, num, at, kind) where kind <> 'edited';
