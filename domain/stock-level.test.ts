import { describe, expect, test } from 'vitest';
import { deliverLabel, homeBadge, listBadge, saleStatus, stockState } from './stock-level.ts';

describe('the stock status in the words of each screen', () => {
  test.each([
    [0, 'Stock Out', 'Out of stock', 'Sold out', 'Sold Out', 'out'],
    [1, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'low'],
    [10, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'low'],
    [11, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'in'],
  ])('%i units', (quantity, home, list, sale, button, state) => {
    expect([
      homeBadge(quantity),
      listBadge(quantity),
      saleStatus(quantity),
      deliverLabel(quantity),
      stockState(quantity),
    ]).toEqual([home, list, sale, button, state]);
  });
});
