import { pictureTypes } from '@perfume/domain/pictures';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';

const endpoint = endpointsOf('Items');

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/uploads',
  summary: 'Upload a picture, to be used as the `img` of an item',
  description:
    'At most 10 MB, 50 megapixels, 200 MB when decoded (width × height × channels × bytes per channel) and 60 pictures an hour. The first bytes of the file decide its type, not its name or a header. The picture is rotated upright and re-encoded as WebP without metadata, at most 1,600 pixels wide and high. Anyone can then `GET` it at the path in `img`. With `stored=true`: a picture from the archive of another server, which is kept as it is, at most 2 MB and 2,000 a day.',
  who: 'user',
  sends: pictureTypes,
  query: z.object({ stored: z.optional(z.enum(['true'])) }),
  replies: {
    201: z.strictObject({ img: z.string(), width: z.int().check(z.minimum(1)), height: z.int().check(z.minimum(1)) }),
  },
  problems: ['not_a_picture', 'too_large'],
});
