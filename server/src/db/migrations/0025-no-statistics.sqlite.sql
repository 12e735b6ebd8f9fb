-- Statistics of a small database mislead the planner when it has grown: a search then read every item. Without them the
-- planner follows the indexes. The first line creates the table of statistics if there is none, the last loads the empty one.
analyze houses;
delete from sqlite_stat1;
analyze sqlite_schema;
