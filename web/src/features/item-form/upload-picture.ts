import type { ReplyOf } from '@perfume/contract/endpoint';
import type { uploadPicture as upload } from '@perfume/contract/pictures';
import { type FromWireNames, fromWireNames } from '@perfume/contract/wire-item';
import { PICTURE_BYTES_MAX, PICTURE_SIDE_MAX, type PictureType, pictureTypeOf } from '@perfume/domain/pictures';
import { ApiProblem } from '../../api/client.ts';
import { type SendOptions, sendFile } from '../../api/send-file.ts';

export type StoredPicture = FromWireNames<ReplyOf<typeof upload>>;

/** Uploads a picture and returns where it is stored. Files that are not pictures are refused before sending. */
export async function uploadPicture(file: Blob, options: SendOptions): Promise<StoredPicture> {
  const type = pictureTypeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  if (type === null) throw new ApiProblem('not_a_picture', 415);
  const ready = await scaleDown(file, type);
  options.signal.throwIfAborted();
  if (ready.size > PICTURE_BYTES_MAX) throw new ApiProblem('too_large', 413);
  const stored = await sendFile('/uploads', ready, ready === file ? type : ready.type, options);
  return fromWireNames(stored as ReplyOf<typeof upload>);
}

/** Files up to this size are sent unchanged. */
const SMALL_BYTES = 1_000_000;

/** Scales a large photograph down before sending. The upload is faster, and the GPS position in the file is dropped. */
async function scaleDown(file: Blob, type: PictureType): Promise<Blob> {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, PICTURE_SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (!context) return file;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    // JPEG has no transparency; other formats may, and WebP keeps it.
    const small = await canvas.convertToBlob({ type: type === 'image/jpeg' ? type : 'image/webp', quality: 0.92 });
    return small.size < file.size ? small : file;
  } catch {
    // The browser cannot decode the file, so the server decides whether it is a picture.
    return file;
  }
}
