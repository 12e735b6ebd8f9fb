import type { uploadPicture as upload } from '@perfume/contract/pictures';
import { PICTURE_BYTES_MAX, PICTURE_SIDE_MAX, type PictureType, pictureTypeOf } from '@perfume/domain/pictures';
import { ApiProblem, type ReplyOf, reportSignedOut } from '../../api/client.ts';

export type StoredPicture = ReplyOf<typeof upload>;
type Options = { signal: AbortSignal; onSent: (part: number) => void };

/** Sends a picture and answers with the path it is kept at. What cannot be one is refused before it travels. */
export async function uploadPicture(file: Blob, options: Options): Promise<StoredPicture> {
  const type = pictureTypeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  if (type === null) throw new ApiProblem('not_a_picture', 415);
  const ready = await shrunk(file, type);
  options.signal.throwIfAborted();
  if (ready.size > PICTURE_BYTES_MAX) throw new ApiProblem('too_large', 413);
  return send(ready, ready === file ? type : ready.type, options);
}

/** Smaller files travel in a moment as they are. */
const SMALL_BYTES = 1_000_000;

/**
 * A photograph is many times what is kept of it. Made smaller here it travels in a moment, also from a phone in a
 * cellar, and the place where it was taken stays at home.
 */
async function shrunk(file: Blob, type: PictureType): Promise<Blob> {
  if (file.size <= SMALL_BYTES) return file;
  try {
    const bitmap = await createImageBitmap(file);
    const scale = Math.min(1, PICTURE_SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
    const brush = canvas.getContext('2d');
    if (!brush) return file;
    brush.imageSmoothingQuality = 'high';
    brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    // A photograph has nothing to see through; what may have keeps it.
    const small = await canvas.convertToBlob({ type: type === 'image/jpeg' ? type : 'image/webp', quality: 0.92 });
    return small.size < file.size ? small : file;
  } catch {
    // The browser cannot draw it; the server will say whether it is one.
    return file;
  }
}

/** A large picture may take minutes. One of which nothing more has been sent or answered for so long does not get there. */
const SILENCE_MS = 20_000;

/** By XMLHttpRequest, for fetch does not tell how much has been sent. */
function send(body: Blob, type: string, { signal, onSent }: Options): Promise<StoredPicture> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const waitOn = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), SILENCE_MS);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      waitOn();
      onSent(total > 0 ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(silence);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status === 201) return resolve(answer as StoredPicture);
      reject(reportSignedOut(new ApiProblem((answer as { code?: 'internal' }).code ?? 'internal', request.status)));
    };
    request.onerror = () => reject(new ApiProblem('offline', 0));
    request.onabort = () => reject(signal.aborted ? signal.reason : new ApiProblem('offline', 0));
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', '/uploads');
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/json');
    request.send(body);
    waitOn();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
