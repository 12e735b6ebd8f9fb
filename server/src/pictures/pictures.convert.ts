import { isBareWebp, PICTURE_SIDE_MAX, pictureTypeOf, STORED_BYTES_MAX } from '@perfume/domain/pictures';
import pLimit from 'p-limit';
import type { Metadata } from 'sharp';

/** Enough for any phone camera. Without a limit, a file of a few kilobytes could decompress to any size. */
const MAX_PIXELS = 50_000_000;
/** Enough for 50 megapixels with transparency, and safe in a container that has 1 GB of memory for everything. */
const MAX_DECODED_BYTES = 200_000_000;
const LARGE_BYTES = 50_000_000;
const TIMEOUT_SECONDS = 10;
/** Transparency is stored without loss otherwise, and can then be larger than the colours. Nobody sees this loss. */
const ALPHA_QUALITY = 75;

export type Converted =
  | { ok: true; bytes: Buffer; width: number; height: number }
  | { ok: false; reason: 'not_a_picture' | 'too_large' };

/**
 * Decodes the picture and encodes it again. The result comes from the pixels alone: no metadata, no data appended to
 * the file, no further frames. Pictures wait for their turn; if `isWanted` is false by then, nothing is decoded.
 */
export async function convertPicture(bytes: Buffer, isWanted = () => true): Promise<Converted> {
  if (pictureTypeOf(bytes) === null) return { ok: false, reason: 'not_a_picture' };
  const sharp = await loadSharp();
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
    // `metadata` reads only the header of the file.
    const decodedBytes = decodedBytesOf(await picture.metadata());
    if (decodedBytes > MAX_DECODED_BYTES) return { ok: false, reason: 'too_large' };
    const turn = decodedBytes > LARGE_BYTES ? turns.large : turns.small;
    return await turn(async () => {
      if (!isWanted()) return { ok: false, reason: 'not_a_picture' };
      const { data, info } = await picture
        .autoOrient()
        .resize(PICTURE_SIDE_MAX, PICTURE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 82, alphaQuality: ALPHA_QUALITY })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .toBuffer({ resolveWithObject: true });
      return { ok: true, bytes: data, width: info.width, height: info.height };
    });
  } catch (error) {
    // sharp reports both limits only in the error message, without an error code.
    const isHuge = /pixel limit|timeout/.test((error as Error).message);
    return { ok: false, reason: isHuge ? 'too_large' : 'not_a_picture' };
  }
}

/** Decodes a picture that a server like this one has stored. It is kept as it is, so that its name stays the same. */
export async function checkStoredPicture(bytes: Buffer): Promise<Converted> {
  if (bytes.length > STORED_BYTES_MAX || !isBareWebp(bytes)) return { ok: false, reason: 'not_a_picture' };
  const sharp = await loadSharp();
  return turns.small(async () => {
    try {
      const picture = sharp(bytes, { limitInputPixels: PICTURE_SIDE_MAX ** 2, failOn: 'error' });
      const { width, height } = (
        await picture.raw().timeout({ seconds: TIMEOUT_SECONDS }).toBuffer({ resolveWithObject: true })
      ).info;
      const fits = Math.max(width, height) <= PICTURE_SIDE_MAX;
      return fits ? { ok: true, bytes, width, height } : { ok: false, reason: 'not_a_picture' };
    } catch {
      return { ok: false, reason: 'not_a_picture' };
    }
  });
}

/**
 * Converts one small and one large picture at a time. They use two of libuv's four threads; the other two stay free for
 * reading and writing files.
 */
const turns = { small: pLimit(1), large: pLimit(1) };

/**
 * Estimates the memory that decoding needs. A baseline JPEG is decoded line by line and needs very little, so it counts
 * as 0. A progressive JPEG keeps coefficients of two bytes each.
 */
function decodedBytesOf({ format, isProgressive, width, height, channels, depth }: Metadata): number {
  if (format === 'jpeg' && !isProgressive) return 0;
  const bytesPerSample = format === 'jpeg' || depth !== 'uchar' ? 2 : 1;
  return width * height * channels * bytesPerSample;
}

let loading: Promise<typeof import('sharp').default> | null = null;

/** Loads sharp when the first picture arrives, to keep the start of the server fast. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // sharp may read these three formats only, so an SVG is never parsed, whatever its content type says.
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
