import { pictureTypes } from '@perfume/domain/pictures';
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/uploads',
  summary: 'Keep a picture, to be used as the `img` of an item',
  who: 'user',
  sends: pictureTypes,
  replies: { 201: z.strictObject({ img: z.string(), width: z.int(), height: z.int() }) },
  problems: ['not_a_picture', 'too_large'],
});
