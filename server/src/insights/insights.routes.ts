import { hash } from 'node:crypto';
import type { QueryOf } from '@perfume/contract/endpoint';
import {
  readDeadStock as deadStock,
  exportDeadStock,
  exportSellers,
  exportSeries,
  exportSuppliers,
  readFigures as figures,
  MAX_DAYS,
  readSellers as sellers,
  readSeries as series,
  readSuppliers as suppliers,
} from '@perfume/contract/insights';
import { toWireRankedItem, toWireSupplier } from '@perfume/contract/wire-item';
import { dayOf, dayText, HOUR_MS } from '@perfume/domain/insights';
import { foldForSearch } from '@perfume/domain/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dataVersionOf } from '../http/data-version.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendCached, serve } from '../http/serve.ts';
import { sendTable } from '../transfer/table-file.ts';
import { readDeadStock } from './dead-stock.store.ts';
import { readFigures, readSeries } from './figures.store.ts';
import { deadStockTable, sellersTable, seriesTable, suppliersTable } from './insight-tables.ts';
import type { RankedPage } from './ranked-items.ts';
import { readSellers } from './sellers.store.ts';
import { readSuppliers } from './suppliers.store.ts';

const MAX_POINTS = 800;
const DEFAULT_DAYS = { series: 90, sellers: 30, dead: 90 } as const;
const DEFAULT_LIMITS = { sellers: 20, suppliers: 50, dead: 50 } as const;

type Asked<Query> = { house: number; now: number; query: Query };
/** What is asked for, in full, and how to find it. */
type Question<Result> = { key: unknown[]; load: () => Promise<Result> };
/** All rows of a ranking are read a page at a time, so that nobody waits long for the next one. */
const EXPORT_PAGE = 2_000;
/** The last delivery of each of these rows is looked up, which takes seconds for thousands of them. */
const DEAD_STOCK_PAGE = 500;

export function insightRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cache } = deps;

  /** Sends a result that is computed once and cached until something is committed or the hour ends. */
  async function send(
    { house, request, reply, now }: { house: number; request: FastifyRequest; reply: FastifyReply; now: number },
    { key, load }: Question<object>,
  ): Promise<FastifyReply> {
    const ready = await cache.getOrLoad(
      dataVersionOf(cache, request),
      `insights ${Math.floor(now / HOUR_MS)} ${JSON.stringify([house, ...key])}`,
      async () => {
        const result = await load();
        const body = JSON.stringify(result);
        const rows = Object.values(result).find(Array.isArray)?.length ?? 0;
        return { body, etag: `"${hash('sha1', body, 'base64url')}"`, rows };
      },
      (answer) => answer.body.length,
    );
    request.rowsRead = ready.rows;
    return sendCached(reply, request, ready);
  }

  serve(app, deps, figures, async (call) =>
    send(call, {
      key: ['figures'],
      load: async () => ({
        asOf: new Date(call.now).toISOString(),
        ...(await readFigures(db, call.house, call.now)),
      }),
    }),
  );

  function askSeries({ house, now, query: asked }: Asked<QueryOf<typeof series>>) {
    const { from, to } = periodOf(asked, now, DEFAULT_DAYS.series);
    const step = asked.step ?? 'day';
    if (step === 'day' && to - from >= MAX_POINTS) {
      throw new Problem('invalid_query', {
        fields: { step: { code: 'too_many_points', max: MAX_POINTS } },
      });
    }
    const query = { from, to, step, supplierKey: supplierKeyOf(asked.supplier) };
    const load = async () => ({
      ...dayTexts({ from, to }),
      step,
      points: (await readSeries(db, house, now, query)).map((point) => ({ ...point, ...dayTexts(point) })),
    });
    return { key: ['series', query], load };
  }

  serve(app, deps, series, async (call) => send(call, askSeries(call)));
  serve(app, deps, exportSeries, async (call) => {
    const { points, ...period } = await askSeries(call).load();
    return sendTable(call, call.query.format, seriesTable(period, [points]));
  });

  function askSellers(
    { house, now, query: asked }: Asked<Omit<QueryOf<typeof exportSellers>, 'format'>>,
    page: RankedPage,
  ) {
    const { from, to } = periodOf(asked, now, DEFAULT_DAYS.sellers);
    const { order = 'fastest' } = asked;
    const query = { from, to, order, supplierKey: supplierKeyOf(asked.supplier), ...page };
    const load = async () => ({
      ...dayTexts({ from, to }),
      items: (await readSellers(db, house, now, query)).map(({ units, days, perDay, daysLeft, ...item }) => ({
        ...toWireRankedItem(item),
        delivered: units,
        days,
        perDay,
        daysLeft,
      })),
    });
    return { key: ['sellers', query], load };
  }

  serve(app, deps, sellers, async (call) => send(call, askSellers(call, firstPage(call, DEFAULT_LIMITS.sellers))));
  serve(app, deps, exportSellers, async (call) => {
    const { order = 'fastest', format } = call.query;
    const period = periodOf(call.query, call.now, DEFAULT_DAYS.sellers);
    const pages = eachPage(async (page) => (await askSellers(call, page).load()).items);
    return sendTable(call, format, sellersTable({ ...dayTexts(period), order }, pages));
  });

  function askSuppliers(
    { house, now, query: asked }: Asked<Omit<QueryOf<typeof exportSuppliers>, 'format'>>,
    page: RankedPage,
  ) {
    const { from, to } = periodOf(asked, now, DEFAULT_DAYS.sellers);
    const query = { from, to, ...page };
    const load = async () => {
      const { suppliers, total } = await readSuppliers(db, house, now, query);
      const { units: unitsOnHand, ...all } = total;
      return {
        ...dayTexts({ from, to }),
        total: { ...all, unitsOnHand },
        suppliers: suppliers.map(toWireSupplier),
      };
    };
    return { key: ['suppliers', query], load };
  }

  serve(app, deps, suppliers, async (call) =>
    send(call, askSuppliers(call, firstPage(call, DEFAULT_LIMITS.suppliers))),
  );
  serve(app, deps, exportSuppliers, async (call) => {
    const period = periodOf(call.query, call.now, DEFAULT_DAYS.sellers);
    const pages = eachPage(async (page) => (await askSuppliers(call, page).load()).suppliers);
    return sendTable(call, call.query.format, suppliersTable(dayTexts(period), pages));
  });

  function askDeadStock(
    { house, now, query: asked }: Asked<Omit<QueryOf<typeof exportDeadStock>, 'format'>>,
    page: RankedPage,
  ) {
    const { days = DEFAULT_DAYS.dead } = asked;
    const query = { days, supplierKey: supplierKeyOf(asked.supplier), ...page };
    const load = async () => {
      const { items, total } = await readDeadStock(db, house, now, query);
      return {
        days,
        total: { items: total.items, unitsOnHand: total.units, valueCents: total.valueCents },
        items: items.map(({ valueCents, lastDelivered, idleDays, ...item }) => ({
          ...toWireRankedItem(item),
          valueCents,
          lastDelivered: lastDelivered === null ? null : dayText(lastDelivered),
          idleDays,
        })),
      };
    };
    return { key: ['dead stock', query], load };
  }

  serve(app, deps, deadStock, async (call) => send(call, askDeadStock(call, firstPage(call, DEFAULT_LIMITS.dead))));
  serve(app, deps, exportDeadStock, async (call) => {
    const { days = DEFAULT_DAYS.dead, format } = call.query;
    const pages = eachPage(async (page) => (await askDeadStock(call, page).load()).items, DEAD_STOCK_PAGE);
    return sendTable(call, format, deadStockTable(days, pages));
  });
}

function firstPage({ query }: { query: { limit?: number | undefined } }, defaultLimit: number): RankedPage {
  return { limit: query.limit ?? defaultLimit };
}

async function* eachPage<Row>(load: (page: RankedPage) => Promise<Row[]>, limit = EXPORT_PAGE): AsyncGenerator<Row[]> {
  for (let skip = 0, isEnd = false; !isEnd; skip += limit) {
    const rows = await load({ limit, skip });
    yield rows;
    isEnd = rows.length < limit;
  }
}

/** The first and last day of the requested period, both included. A period that reaches into the future ends today. */
function periodOf(query: { from?: number | undefined; to?: number | undefined }, now: number, defaultDays: number) {
  const today = dayOf(now);
  const to = Math.min(query.to ?? today, today);
  const from = query.from ?? to - defaultDays + 1;
  if (from > to) throw new Problem('invalid_query', { fields: { from: { code: 'after_end' } } });
  if (to - from >= MAX_DAYS)
    throw new Problem('invalid_query', { fields: { from: { code: 'too_many_days', max: MAX_DAYS } } });
  return { from, to };
}

function dayTexts({ from, to }: { from: number; to: number }) {
  return { from: dayText(from), to: dayText(to) };
}

/** The supplier's name without case and accents, as suppliers are compared; null if the query names none. */
function supplierKeyOf(supplier: string | undefined): string | null {
  return supplier === undefined || supplier.trim() === '' ? null : foldForSearch(supplier);
}
