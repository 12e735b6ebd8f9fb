-- When the sums of a house were begun. Whoever keeps what follows from them computes it again when they are begun again.
alter table stock_summed add column begun_at bigint not null default 0;
