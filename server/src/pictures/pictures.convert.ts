import { PICTURE_SIDE_MAX, pictureTypeOf } from '@perfume/domain/pictures';

/** Enough for the camera of any phone; a file of a few kilobytes can claim to be any size. */
const MOST_PIXELS = 50_000_000;
const LONGEST_SECONDS = 10;

export type Converted =
  | { ok: true; bytes: Buffer; width: number; height: number }
  | { ok: false; reason: 'not_a_picture' | 'too_large' };

/**
 * Draws the picture anew. What is kept comes from the pixels alone: no metadata, no second file behind the first, no
 * frames, nothing that was written by hand.
 */
export async function convertPicture(bytes: Buffer): Promise<Converted> {
  if (pictureTypeOf(bytes) === null) return { ok: false, reason: 'not_a_picture' };
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize(PICTURE_SIDE_MAX, PICTURE_SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .timeout({ seconds: LONGEST_SECONDS })
      .toBuffer({ resolveWithObject: true });
    return { ok: true, bytes: data, width: info.width, height: info.height };
  } catch (error) {
    // The library has words but no codes for what it meets in a file.
    const isHuge = /pixel limit|timeout/.test((error as Error).message);
    return { ok: false, reason: isHuge ? 'too_large' : 'not_a_picture' };
  }
}

let loading: Promise<typeof import('sharp').default> | null = null;

/** Loaded with the first picture: most starts of the server see none for a while. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Of the many formats it reads, three; so an SVG is not even parsed, whatever it pretends to be.
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
