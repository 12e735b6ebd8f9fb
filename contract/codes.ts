import * as z from 'zod/mini';
import { endpointsOf, itemReplyHeaders } from './endpoint.ts';
import { wireItem } from './items.ts';

const endpoint = endpointsOf('Items');

export const findCode = endpoint({
  method: 'GET',
  path: '/codes/:code',
  summary: 'The item that has this SKU or barcode',
  description:
    'Send the code as scanned, percent-encoded. A UPC and its EAN-13 are the same code; in other codes, case and spaces do not matter.',
  who: 'user',
  params: z.object({ code: z.string() }),
  replyHeaders: itemReplyHeaders,
  replies: { 200: wireItem },
  problems: ['code_not_found'],
});
