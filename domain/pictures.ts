/** The picture formats that can be uploaded. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

export const PICTURE_BYTES_MAX = 10 * 1024 * 1024;
/** A picture of the highest size that is all noise has fewer bytes than this once it is stored. */
export const STORED_BYTES_MAX = 2 * 1024 * 1024;
/** Stored pictures are no wider and no higher than this. */
export const PICTURE_SIDE_MAX = 1_600;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];

/**
 * The format of a picture according to its first bytes, since file name and header can be wrong; null if the format is
 * not accepted.
 */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  if (hasBytes(bytes, 0, JPEG)) return 'image/jpeg';
  if (hasBytes(bytes, 0, PNG)) return 'image/png';
  return hasBytes(bytes, 0, RIFF) && hasBytes(bytes, 8, WEBP) ? 'image/webp' : null;
}

/** What a WebP file may consist of if it has only pixels: no metadata, no further frames, nothing unknown. */
const PIXEL_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH'];
const HAS_ALPHA = 0x10;

/** Whether a file is a WebP picture with nothing in it but its pixels, as pictures are stored. Does not decode them. */
export function isBareWebp(bytes: Uint8Array): boolean {
  if (pictureTypeOf(bytes) !== 'image/webp') return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(4, true) !== bytes.length - 8) return false;
  const found = new Set<string>();
  let at = 12;
  while (at + 8 <= bytes.length) {
    const kind = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (!PIXEL_CHUNKS.includes(kind) || found.has(kind)) return false;
    found.add(kind);
    if (kind === 'VP8X' && ((bytes[at + 8] ?? 0) & ~HAS_ALPHA) !== 0) return false;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return at === bytes.length;
}

function hasBytes(bytes: Uint8Array, offset: number, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[offset + index] === byte);
}
