-- The last number that somebody set for an item, among thousands of entries that add to it.
create index count_entries_sets on count_entries (session_id, item_id, num) where kind = 'set';
