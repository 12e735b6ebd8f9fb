import { hash } from 'node:crypto';
import {
  readDeadStock as deadStock,
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
import { readDeadStock } from './dead-stock.store.ts';
import { readFigures, readSeries } from './figures.store.ts';
import { readSellers } from './sellers.store.ts';
import { readSuppliers } from './suppliers.store.ts';

const MAX_POINTS = 800;
const DEFAULT_DAYS = { series: 90, sellers: 30, dead: 90 } as const;
const DEFAULT_LIMITS = { sellers: 20, suppliers: 50, dead: 50 } as const;

export function insightRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cache } = deps;

  /** Sends a result that is computed once and cached until something is committed or the hour ends. */
  async function send(
    { house, request, reply, now }: { house: number; request: FastifyRequest; reply: FastifyReply; now: number },
    query: unknown[],
    load: () => Promise<object>,
  ): Promise<FastifyReply> {
    const key = `insights ${Math.floor(now / HOUR_MS)} ${JSON.stringify([house, ...query])}`;
    const ready = await cache.getOrLoad(
      dataVersionOf(cache, request),
      key,
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
    send(call, ['figures'], async () => ({
      asOf: new Date(call.now).toISOString(),
      ...(await readFigures(db, call.house, call.now)),
    })),
  );

  serve(app, deps, series, async (call) => {
    const { from, to } = periodOf(call.query, call.now, DEFAULT_DAYS.series);
    const step = call.query.step ?? 'day';
    if (step === 'day' && to - from >= MAX_POINTS) {
      throw new Problem('invalid_query', {
        fields: { step: { code: 'too_many_points', max: MAX_POINTS } },
      });
    }
    const query = { from, to, step, supplierKey: supplierKeyOf(call.query.supplier) };
    return send(call, ['series', query], async () => ({
      ...dayTexts({ from, to }),
      step,
      points: (await readSeries(db, call.house, call.now, query)).map((point) => ({ ...point, ...dayTexts(point) })),
    }));
  });

  serve(app, deps, sellers, async (call) => {
    const { from, to } = periodOf(call.query, call.now, DEFAULT_DAYS.sellers);
    const { order = 'fastest', limit = DEFAULT_LIMITS.sellers } = call.query;
    const query = { from, to, order, limit, supplierKey: supplierKeyOf(call.query.supplier) };
    return send(call, ['sellers', query], async () => ({
      ...dayTexts({ from, to }),
      items: (await readSellers(db, call.house, call.now, query)).map(({ units, days, perDay, daysLeft, ...item }) => ({
        ...toWireRankedItem(item),
        delivered: units,
        days,
        perDay,
        daysLeft,
      })),
    }));
  });

  serve(app, deps, suppliers, async (call) => {
    const { from, to } = periodOf(call.query, call.now, DEFAULT_DAYS.sellers);
    const query = { from, to, limit: call.query.limit ?? DEFAULT_LIMITS.suppliers };
    return send(call, ['suppliers', query], async () => {
      const { suppliers, total } = await readSuppliers(db, call.house, call.now, query);
      const { units: unitsOnHand, ...all } = total;
      return {
        ...dayTexts({ from, to }),
        total: { ...all, unitsOnHand },
        suppliers: suppliers.map(toWireSupplier),
      };
    });
  });

  serve(app, deps, deadStock, async (call) => {
    const { days = DEFAULT_DAYS.dead, limit = DEFAULT_LIMITS.dead } = call.query;
    const query = { days, limit, supplierKey: supplierKeyOf(call.query.supplier) };
    return send(call, ['dead stock', query], async () => {
      const { items, total } = await readDeadStock(db, call.house, call.now, query);
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
    });
  });
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
