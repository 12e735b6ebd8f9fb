-- A search for one or two characters looks for them in name and supplier. Those are in a table of their own, because each
-- delivery writes every index of the items.
lock table items in access exclusive mode;
create table item_names (num bigint primary key, names text collate "C" not null);

-- The characters of a text, and each two that follow each other: 'oud' gives o, u, d, ou and ud. The cost keeps the planner
-- from computing this for every row, which takes ten times as long as reading it, and it starts no parallel workers for it.
create function short_terms(names text) returns text[] language plpgsql immutable strict cost 5000 as $$
declare
  terms text[] := string_to_array(names, null);
  characters constant text[] := terms;
begin
  for n in 2 .. cardinality(characters) loop
    terms := terms || (characters[n - 1] || characters[n]);
  end loop;
  return terms;
end $$;

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
analyze item_names;
