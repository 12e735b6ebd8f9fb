import { afterEach, describe, expect, test, vi } from 'vitest';
import { findDuplicate } from './find-duplicate.ts';

const typed = {
  name: ' iris de craie ',
  price: '12',
  quantity: '1',
  img: '/bottles/iris-de-craie.svg',
  description: '',
  suplierName: 'ATELIER SOLÈNE',
  email: 'a@b.example',
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
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  reorderPoint: null,
  lowAt: 10,
});

function answering(answer: () => Response | Promise<Response>) {
  const asked = vi.fn<(url: string) => Promise<Response>>(async () => answer());
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('an item that exists already', () => {
  test('is found by name and supplier, whatever the case of the letters', async () => {
    const asked = answering(() =>
      Response.json([
        wireItem('Iris de Craie Intense', 'Atelier Solène'),
        wireItem('Iris de Craie', 'Somebody else'),
        wireItem('Iris de Craie', 'Atelier Solène'),
      ]),
    );
    expect((await findDuplicate(typed))?.id).toBe('Iris de Craie by Atelier Solène');
    expect(asked.mock.calls[0]?.[0]).toBe('/all-inventory-items?q=iris+de+craie&limit=100');
  });

  test('is none when only the name or only the supplier is the same', async () => {
    answering(() => Response.json([wireItem('Iris de Craie', 'Somebody else'), wireItem('Oud', 'Atelier Solène')]));
    expect(await findDuplicate(typed)).toBeNull();
  });

  test.each([
    ['refused', () => Response.json({ code: 'unavailable' }, { status: 503 })],
    ['unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['nonsense', () => new Response('<html>')],
  ])('does not stand in the way when the answer is %s', async (_, answer) => {
    answering(answer);
    expect(await findDuplicate(typed)).toBeNull();
  });
});
