-- What was undone counts neither as delivered nor as restocked: an undo takes its units back at the time of the movement
-- at the root of its chain, so a period holds both or neither.

alter table stock_movements add column undone_at bigint;
drop trigger stock_movements_are_append_only on stock_movements;
with recursive roots (id, at) as (
  select id, at from stock_movements where kind <> 'undo' and id in (select undoes from stock_movements)
  union all
  select m.id, roots.at from stock_movements m join roots on m.undoes = roots.id
)
update stock_movements set undone_at = roots.at
from roots where roots.id = stock_movements.id and stock_movements.undoes is not null;
create trigger stock_movements_are_append_only before update or delete on stock_movements
for each row execute function refuse_change('the ledger is append-only');

-- The sums are made anew from the ledger, by whoever asks next.
delete from stock_hours;
delete from item_days;
update stock_summed set until = 0;
