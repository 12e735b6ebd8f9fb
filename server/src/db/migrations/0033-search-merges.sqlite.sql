-- A search looks into every segment of the index. Two of about the same size are merged, when the server has time.
insert into item_search_index (item_search_index, rank) values ('usermerge', 2);
