import { hash } from 'node:crypto';
import {
  readDeadStock as deadStock,
  readFigures as figures,
  MOST_DAYS,
  readSellers as sellers,
  readSeries as series,
  readSuppliers as suppliers,
} from '@perfume/contract/insights';
import { dayOf, dayText, HOUR_MS } from '@perfume/domain/insights';
import { foldForSearch } from '@perfume/domain/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dataVersionOf } from '../http/data-version.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendCached, serve } from '../http/serve.ts';
import { readDeadStock } from './dead-stock.store.ts';
import { readFigures, readSeries } from './figures.store.ts';
import type { ItemLine } from './item-lines.ts';
import { readSellers } from './sellers.store.ts';
import { readSuppliers } from './suppliers.store.ts';

const MOST_POINTS = 800;
const USUAL_DAYS = { series: 90, sellers: 30, dead: 90 } as const;
const USUAL_LINES = { sellers: 20, suppliers: 50, dead: 50 } as const;

export function insightRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cache } = deps;

  /** Worked out once, and given again until something is committed or the hour is over. */
  async function send(
    { request, reply, now }: { request: FastifyRequest; reply: FastifyReply; now: number },
    question: unknown[],
    make: () => Promise<unknown>,
  ): Promise<FastifyReply> {
    const key = `insights ${Math.floor(now / HOUR_MS)} ${JSON.stringify(question)}`;
    const ready = await cache.getOrLoad(
      dataVersionOf(cache, request),
      key,
      async () => {
        const body = JSON.stringify(await make());
        return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
      },
      (answer) => answer.body.length,
    );
    return sendCached(reply, request, ready);
  }

  serve(app, deps, figures, async (call) =>
    send(call, ['figures'], async () => ({
      asOf: new Date(call.now).toISOString(),
      ...(await readFigures(db, call.now)),
    })),
  );

  serve(app, deps, series, async (call) => {
    const { from, to } = periodOf(call.query, call.now, USUAL_DAYS.series);
    const step = call.query.step ?? 'day';
    if (step === 'day' && to - from >= MOST_POINTS) {
      throw new Problem('invalid_query', {
        fields: { step: `By day at most ${MOST_POINTS} days: ask by week or month` },
      });
    }
    const asked = { from, to, step, supplierKey: keyOf(call.query.supplier) };
    return send(call, ['series', asked], async () => ({
      ...daysShown({ from, to }),
      step,
      points: (await readSeries(db, call.now, asked)).map((point) => ({ ...point, ...daysShown(point) })),
    }));
  });

  serve(app, deps, sellers, async (call) => {
    const { from, to } = periodOf(call.query, call.now, USUAL_DAYS.sellers);
    const { order = 'fastest', limit = USUAL_LINES.sellers } = call.query;
    const asked = { from, to, order, limit, supplierKey: keyOf(call.query.supplier) };
    return send(call, ['sellers', asked], async () => ({
      ...daysShown({ from, to }),
      items: (await readSellers(db, call.now, asked)).map(({ units, days, perDay, daysLeft, ...line }) => ({
        ...toWireLine(line),
        delivered: units,
        days,
        perDay,
        daysLeft,
      })),
    }));
  });

  serve(app, deps, suppliers, async (call) => {
    const { from, to } = periodOf(call.query, call.now, USUAL_DAYS.sellers);
    const asked = { from, to, limit: call.query.limit ?? USUAL_LINES.suppliers };
    return send(call, ['suppliers', asked], async () => {
      const { suppliers, total } = await readSuppliers(db, call.now, asked);
      const { units: unitsOnHand, ...all } = total;
      return {
        ...daysShown({ from, to }),
        total: { ...all, unitsOnHand },
        suppliers: suppliers.map(({ name, units, ...sums }) => ({ suplierName: name, unitsOnHand: units, ...sums })),
      };
    });
  });

  serve(app, deps, deadStock, async (call) => {
    const { days = USUAL_DAYS.dead, limit = USUAL_LINES.dead } = call.query;
    const asked = { days, limit, supplierKey: keyOf(call.query.supplier) };
    return send(call, ['dead stock', asked], async () => {
      const { items, total } = await readDeadStock(db, call.now, asked);
      return {
        days,
        total: { items: total.items, unitsOnHand: total.units, valueCents: total.valueCents },
        items: items.map(({ valueCents, lastDelivered, idleDays, ...line }) => ({
          ...toWireLine(line),
          valueCents,
          lastDelivered: lastDelivered === null ? null : dayText(lastDelivered),
          idleDays,
        })),
      };
    });
  });
}

/** Both days are included. A period that reaches into the future ends today. */
function periodOf(query: { from?: number | undefined; to?: number | undefined }, now: number, usual: number) {
  const today = dayOf(now);
  const to = Math.min(query.to ?? today, today);
  const from = query.from ?? to - usual + 1;
  if (from > to) throw new Problem('invalid_query', { fields: { from: 'Not after the last day, nor after today' } });
  if (to - from >= MOST_DAYS) throw new Problem('invalid_query', { fields: { from: `At most ${MOST_DAYS} days` } });
  return { from, to };
}

function daysShown({ from, to }: { from: number; to: number }) {
  return { from: dayText(from), to: dayText(to) };
}

/** As suppliers are compared: without case or accents. */
function keyOf(supplier: string | undefined): string | null {
  return supplier === undefined || supplier.trim() === '' ? null : foldForSearch(supplier);
}

function toWireLine({ id, name, supplierName, imageUrl, onHand }: ItemLine) {
  return { _id: id, name, suplierName: supplierName, img: imageUrl, onHand };
}
