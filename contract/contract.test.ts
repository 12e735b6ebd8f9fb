import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from './endpoints.ts';
import { parseInput } from './fields.ts';
import { newItemBody, publicWireItem, toNewItem, wireItem } from './items.ts';
import { movementBody, signedDelta } from './ledger.ts';
import { openApi } from './openapi.ts';
import { isPagePath } from './page-paths.ts';
import { problems } from './problems.ts';
import { fromWire, fromWireName, fromWireNames, toPublicWire, toWire, toWireName, toWireNames } from './wire-item.ts';

const anyItem = fc.record({
  id: fc.uuid(),
  name: fc.string({ minLength: 1 }),
  priceCents: fc.integer({ min: 0, max: 1_000_000_000 }),
  quantity: fc.integer({ min: 0, max: 1_000_000_000 }),
  imageUrl: fc.webUrl(),
  description: fc.string({ minLength: 50 }),
  supplierName: fc.string({ minLength: 1 }),
  email: fc.emailAddress(),
  version: fc.integer({ min: 1 }),
  createdAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  updatedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  reorderPoint: fc.option(fc.integer({ min: 0, max: 1_000_000_000 })),
  lowAt: fc.integer({ min: 0, max: 1_000_000_000 }),
  sku: fc.option(fc.string({ minLength: 1 })),
  barcodes: fc.array(fc.string({ minLength: 1 })),
});

describe('an item on the wire', () => {
  test('converts back to the same item, and fits its schema', () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        const sent = JSON.parse(JSON.stringify(toWire(item)));
        expect(wireItem.safeParse(sent).success).toBe(true);
        expect(fromWire(sent)).toEqual(item);
        expect(typeof sent.quantity).toBe('string');
      }),
    );
  });

  test('has no email address and no codes in the public list', () => {
    fc.assert(
      fc.property(anyItem, (item) => {
        expect(publicWireItem.safeParse(toPublicWire(item)).success).toBe(true);
        for (const name of ['email', 'sku', 'barcodes']) expect(toPublicWire(item)).not.toHaveProperty(name);
      }),
    );
  });
});

describe('the names of the spec', () => {
  const own = { id: 'a', imageUrl: 'b', supplierName: 'c', results: [{ id: 'd', ok: true }], none: null };
  const wire = { _id: 'a', img: 'b', suplierName: 'c', results: [{ _id: 'd', ok: true }], none: null };

  test('replace ours at any depth, and ours replace them', () => {
    expect(toWireNames(own)).toEqual(wire);
    expect(fromWireNames(wire)).toEqual(own);
  });

  test.each(['name', 'price', 'constructor', '__proto__', 'toString'])('leave %s as it is', (name) => {
    expect([toWireName(name), fromWireName(name)]).toEqual([name, name]);
  });
});

describe('a new item', () => {
  const body = {
    name: 'Iris',
    price: '12.50',
    quantity: 3,
    img: 'https://a.example/x.png',
    description: 'x'.repeat(50),
    suplierName: 'Verrière',
    email: 'a@b.example',
  };

  test('is converted to the names of the domain', () => {
    const parsed = newItemBody.parse(body);
    expect(toNewItem(parsed)).toEqual({
      name: 'Iris',
      priceCents: 1_250,
      quantity: 3,
      imageUrl: body.img,
      description: body.description,
      supplierName: 'Verrière',
      email: 'a@b.example',
      sku: null,
      barcodes: [],
    });
  });

  test('refuses unknown fields, whatever their names', () => {
    fc.assert(
      fc.property(fc.string(), fc.anything(), (name, value) => {
        fc.pre(!(name in newItemBody.shape) && name !== '__proto__');
        expect(parseInput(newItemBody, { ...body, [name]: value })).toEqual({
          ok: false,
          fields: { [name]: { code: 'unknown' } },
        });
      }),
    );
  });

  test('never throws, whatever the body', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(newItemBody.safeParse(value).success).toBe(false);
      }),
    );
  });
});

describe('a movement', () => {
  test('is negative for a delivery, positive for a restock, and either for a correction', () => {
    const delta = (kind: string, units: unknown) => signedDelta(movementBody.parse({ kind, units }));
    expect([delta('deliver', 3), delta('restock', '3'), delta('correction', -2), delta('correction', 2)]).toEqual([
      -3, 3, -2, 2,
    ]);
    expect([delta('deliver', -3), delta('restock', '-3')]).toEqual([null, null]);
  });

  test.each([0, '0', '-0', 1.5, '1.5', '--1', true, null, 1e10, Number.NaN])('refuses %j units', (units) => {
    expect(movementBody.safeParse({ kind: 'correction', units }).success).toBe(false);
  });
});

describe('the API description', () => {
  const description = openApi(endpoints, '1.2.3');

  test('contains every endpoint with its responses and problems', () => {
    for (const { method, path, replies, problems: own } of endpoints) {
      const operation = description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as {
        responses: Record<string, { description: string }>;
      };
      for (const status of Object.keys(replies)) expect(operation.responses).toHaveProperty(status);
      for (const code of own) expect(operation.responses[problems[code].status]?.description).toContain(code);
    }
  });

  test('describes the limit of every list as a whole number from 1', () => {
    const limits = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap((operation) =>
        (operation as { parameters: { name: string; schema: unknown }[] }).parameters
          .filter(({ name }) => name === 'limit')
          .map(({ schema }) => [path, schema]),
      ),
    );
    expect(limits.length).toBeGreaterThan(9);
    for (const [path, schema] of limits) {
      expect([path, schema]).toEqual([
        path,
        { type: 'integer', minimum: 1, maximum: expect.any(Number), description: expect.any(String) },
      ]);
    }
  });

  test('states no bound of ±2^53, which viewers would show as an example', () => {
    expect(JSON.stringify(description)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('states the bounds of a new item', () => {
    const text = JSON.stringify(description.paths['/new-inventory-item']);
    expect(text).toContain('"minLength":50');
    expect(text).toContain('"maximum":10000000');
    expect(text).toContain('"additionalProperties":false');
  });
});

test('recognises the paths of pages and no others', () => {
  for (const path of ['/', '/about', '/dashboard/inventory/abc', '/dashboard/my-item', '/about/'])
    expect(isPagePath(path)).toBe(true);
  for (const path of [
    '/nope',
    '/dashboard/inventory/',
    '/dashboard/admin-chat',
    '/my-items/x.css',
    '//',
    '/dashboard/inventory/a/b',
  ]) {
    expect([path, isPagePath(path)]).toEqual([path, false]);
  }
});
