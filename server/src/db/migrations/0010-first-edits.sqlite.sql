-- To find the value of a field at an instant, take the first later edit of that field: its old value is the answer. Each field
-- has an index of its edits, so that takes one lookup, however often the item was edited since. The conditions search the JSON
-- text, in which quotes are escaped: no text that people type can look like the name of a field.
create index item_events_of_name on item_events (item_id, at, num) where changes glob '*"field":"name"*';
create index item_events_of_price on item_events (item_id, at, num) where changes glob '*"field":"priceCents"*';
create index item_events_of_image on item_events (item_id, at, num) where changes glob '*"field":"imageUrl"*';
create index item_events_of_description on item_events (item_id, at, num) where changes glob '*"field":"description"*';
create index item_events_of_supplier on item_events (item_id, at, num) where changes glob '*"field":"supplierName"*';
create index item_events_of_email on item_events (item_id, at, num) where changes glob '*"field":"email"*';
create index item_events_of_reorder_point on item_events (item_id, at, num) where changes glob '*"field":"reorderPoint"*';

-- Deletions and restorations, found without reading the edits between them.
create index item_events_of_deletion on item_events (item_id, num, at, kind) where kind <> 'edited';
