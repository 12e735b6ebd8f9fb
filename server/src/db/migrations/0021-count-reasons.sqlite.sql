-- Why a count differed from what was recorded. Only a correction has a reason, and it may have none.
alter table stock_movements add column reason text
  check (reason is null or (kind = 'correction' and reason in ('breakage', 'tester', 'theft', 'miscount', 'other')));
create index stock_movements_by_reason on stock_movements (reason, at, id) where reason is not null;
