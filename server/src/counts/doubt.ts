/**
 * SQL for `movedWhileCounted` of domain/counts.ts, about the line `l` and its row in `items`. Without a decision, only
 * a person can say whether the units that moved were counted.
 */
export const MOVED = 'l.decision is null and l.first_seq <> coalesce(l.done_seq, items.stock_seq)';

/**
 * SQL for `correctedSince`: somebody corrected the quantity after the count, or after the decision about it. A line
 * without a difference would not be posted anyway.
 */
export const CORRECTED = `(l.decision is null or l.decision = 'post') and l.difference <> 0
  and items.stock_seq > coalesce(l.decided_seq, l.last_seq) and exists (
    select 1 from stock_movements m
    where m.item_id = l.item_id and m.seq > coalesce(l.decided_seq, l.last_seq) and m.kind in ('correction', 'undo')
      and (m.kind = 'correction' or not exists (
        select 1 from stock_movements undone
        where undone.id = m.undoes and undone.seq > coalesce(l.decided_seq, l.last_seq))))`;

/** Whether somebody has to decide about a line before its session can be posted. */
export const IN_DOUBT = `l.outcome is null and ((${MOVED}) or (${CORRECTED}))`;
