import { PICTURE_SIDE_MAX, pictureTypeOf } from '@perfume/domain/pictures';
import pLimit from 'p-limit';
import type { Metadata } from 'sharp';

/** Enough for any phone camera. A file of a few kilobytes can decompress to any size. */
const MAX_PIXELS = 50_000_000;
/** Enough for 50 megapixels with transparency. The container has 1 GB for everything. */
const MAX_DECODED_BYTES = 200_000_000;
const LARGE_BYTES = 50_000_000;
const TIMEOUT_SECONDS = 10;

export type Converted =
  | { ok: true; bytes: Buffer; width: number; height: number }
  | { ok: false; reason: 'not_a_picture' | 'too_large' };

/**
 * Decodes the picture and encodes it again. The result comes from the pixels alone: no metadata, no data appended to the
 * file, no further frames. Nothing is decoded when the picture is no longer wanted at its turn.
 */
export async function convertPicture(bytes: Buffer, isWanted = () => true): Promise<Converted> {
  if (pictureTypeOf(bytes) === null) return { ok: false, reason: 'not_a_picture' };
  const sharp = await loadSharp();
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
    // Reads the header only.
    const decodedBytes = decodedBytesOf(await picture.metadata());
    if (decodedBytes > MAX_DECODED_BYTES) return { ok: false, reason: 'too_large' };
    const turn = decodedBytes > LARGE_BYTES ? turns.large : turns.small;
    return await turn(async () => {
      if (!isWanted()) return { ok: false, reason: 'not_a_picture' };
      const { data, info } = await picture
        .autoOrient()
        .resize(PICTURE_SIDE_MAX, PICTURE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 82 })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .toBuffer({ resolveWithObject: true });
      return { ok: true, bytes: data, width: info.width, height: info.height };
    });
  } catch (error) {
    // sharp reports these as messages without a code.
    const isHuge = /pixel limit|timeout/.test((error as Error).message);
    return { ok: false, reason: isHuge ? 'too_large' : 'not_a_picture' };
  }
}

/** One of each at a time. libuv has four threads; two stay free for reading and writing files. */
const turns = { small: pLimit(1), large: pLimit(1) };

/**
 * The memory that decoding may need. A baseline JPEG is decoded line by line, at a fraction of its size. A progressive one
 * keeps coefficients of two bytes.
 */
function decodedBytesOf({ format, isProgressive, width, height, channels, depth }: Metadata): number {
  if (format === 'jpeg' && !isProgressive) return 0;
  const bytesPerSample = format === 'jpeg' || depth !== 'uchar' ? 2 : 1;
  return width * height * channels * bytesPerSample;
}

let loading: Promise<typeof import('sharp').default> | null = null;

/** Loaded with the first picture, to keep the start of the server fast. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Only three of the formats it reads are allowed, so an SVG is never parsed, whatever its content type says.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}
