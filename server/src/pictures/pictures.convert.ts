import { PICTURE_SIDE_MAX, pictureTypeOf } from '@perfume/domain/pictures';

/** Enough for any phone camera. A file of a few kilobytes can decompress to any size. */
const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 10;

export type Converted =
  | { ok: true; bytes: Buffer; width: number; height: number }
  | { ok: false; reason: 'not_a_picture' | 'too_large' };

/**
 * Decodes the picture and encodes it again. The result comes from the pixels alone: no metadata, no data appended to the
 * file, no further frames.
 */
export async function convertPicture(bytes: Buffer): Promise<Converted> {
  if (pictureTypeOf(bytes) === null) return { ok: false, reason: 'not_a_picture' };
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize(PICTURE_SIDE_MAX, PICTURE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { ok: true, bytes: data, width: info.width, height: info.height };
  } catch (error) {
    // sharp reports these as messages without a code.
    const isHuge = /pixel limit|timeout/.test((error as Error).message);
    return { ok: false, reason: isHuge ? 'too_large' : 'not_a_picture' };
  }
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
