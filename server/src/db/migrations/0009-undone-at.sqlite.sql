-- What was undone counts neither as delivered nor as restocked: an undo takes its units back at the time of the movement
-- at the root of its chain, so a period holds both or neither.

alter table stock_movements add column undone_at integer;
drop trigger stock_movements_are_never_changed;
update stock_movements set undone_at = (
  with recursive roots (at, undoes) as (
    select at, undoes from stock_movements root where root.id = stock_movements.undoes
    union all
    select m.at, m.undoes from stock_movements m join roots on m.id = roots.undoes
  ) select at from roots where undoes is null)
where undoes is not null;
create trigger stock_movements_are_never_changed before update on stock_movements
begin select raise(abort, 'the ledger is append-only'); end;

-- The sums are made anew from the ledger, by whoever asks next.
delete from stock_hours;
delete from item_days;
update stock_summed set until = 0;
