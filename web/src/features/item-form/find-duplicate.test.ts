import { afterEach, describe, expect, test, vi } from 'vitest';
import { findDuplicate } from './find-duplicate.ts';

const typed = {
  name: ' iris de craie ',
  price: '12',
  quantity: '1',
  imageUrl: '/bottles/iris-de-craie.svg',
  description: '',
  supplierName: 'ATELIER SOLÈNE',
  email: 'a@b.example',
  sku: '',
  barcodes: '',
};
const wireItem = (name: string, suplierName: string) => ({
  _id: `${name} by ${suplierName}`,
  name,
  suplierName,
  price: 12,
  quantity: '1',
  img: '',
  description: '',
  email: '',
  sku: null,
  barcodes: [],
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  reorderPoint: null,
  lowAt: 10,
});

function stubFetch(respond: () => Response | Promise<Response>) {
  const fetchMock = vi.fn<(url: string) => Promise<Response>>(async () => respond());
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
}

afterEach(() => vi.unstubAllGlobals());

describe('an item that exists already', () => {
  test('is found by name and supplier, ignoring case', async () => {
    const fetchMock = stubFetch(() =>
      Response.json([
        wireItem('Iris de Craie Intense', 'Atelier Solène'),
        wireItem('Iris de Craie', 'Somebody else'),
        wireItem('Iris de Craie', 'Atelier Solène'),
      ]),
    );
    expect((await findDuplicate(typed))?.id).toBe('Iris de Craie by Atelier Solène');
    expect(fetchMock.mock.calls[0]?.[0]).toBe('/all-inventory-items?q=iris+de+craie&limit=100');
  });

  test('is not found when only the name or only the supplier matches', async () => {
    stubFetch(() => Response.json([wireItem('Iris de Craie', 'Somebody else'), wireItem('Oud', 'Atelier Solène')]));
    expect(await findDuplicate(typed)).toBeNull();
  });

  test.each([
    ['refused', () => Response.json({ code: 'unavailable' }, { status: 503 })],
    ['unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['nonsense', () => new Response('<html>')],
  ])('does not block adding when the response is %s', async (_, respond) => {
    stubFetch(respond);
    expect(await findDuplicate(typed)).toBeNull();
  });
});
