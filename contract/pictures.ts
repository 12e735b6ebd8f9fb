import { pictureTypes } from '@perfume/domain/pictures';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';

const endpoint = endpointsOf('Items');

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/uploads',
  summary: 'Keep a picture, to be used as the `img` of an item',
  description:
    'At most 10 MB and 50 megapixels, 60 pictures an hour. The first bytes decide what a file is, not its name or header. The picture is re-encoded as WebP, at most 1,600 pixels a side, upright and without metadata. Anyone can then `GET` it at its path.',
  who: 'user',
  sends: pictureTypes,
  replies: { 201: z.strictObject({ img: z.string(), width: z.int(), height: z.int() }) },
  problems: ['not_a_picture', 'too_large'],
});
