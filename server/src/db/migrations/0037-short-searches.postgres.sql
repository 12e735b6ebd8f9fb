-- A search for one or two characters looks for them in name and supplier. Those are in a table of their own, because each
-- delivery writes every index of the items.
lock table items in access exclusive mode;
create table item_names (num bigint primary key, names text collate "C" not null);

-- The characters of a text, and each two that are next to each other: 'oud' gives o, u, d, ou and ud. The pairs that
-- begin at an odd place come before those at an even one. It only calls functions in C, so it takes a few microseconds.
create function short_terms(names text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(names, null) || array_remove(string_to_array(
    regexp_replace(names, '(..)', e'\\1\x1f', 'g') || e'\x1f' || regexp_replace(substr(names, 2), '(..)', e'\\1\x1f', 'g'),
    e'\x1f'), '')
$$;

create function index_names() returns trigger language plpgsql as $$
begin
  insert into item_names values (new.num, new.name_key || e'\n' || new.supplier_key)
  on conflict (num) do update set names = excluded.names;
  return null;
end $$;
create trigger items_index_names after insert on items for each row execute function index_names();
create trigger items_index_new_names after update of name_key, supplier_key on items for each row
when (old.name_key <> new.name_key or old.supplier_key <> new.supplier_key) execute function index_names();

insert into item_names select num, name_key || e'\n' || supplier_key from items;
create index item_names_by_term on item_names using gin (short_terms(names));
