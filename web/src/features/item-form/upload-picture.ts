import type { uploadPicture as upload } from '@perfume/contract/pictures';
import { type FromWireNames, fromWireNames } from '@perfume/contract/wire-item';
import { PICTURE_BYTES_MAX, PICTURE_SIDE_MAX, type PictureType, pictureTypeOf } from '@perfume/domain/pictures';
import { ApiProblem, callerHeaders, type ReplyOf, reportRefused } from '../../api/client.ts';

export type StoredPicture = FromWireNames<ReplyOf<typeof upload>>;
type Options = { signal: AbortSignal; onSent: (fraction: number) => void };

/** Uploads a picture and returns where it is stored. Files that are not pictures are refused before sending. */
export async function uploadPicture(file: Blob, options: Options): Promise<StoredPicture> {
  const type = pictureTypeOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  if (type === null) throw new ApiProblem('not_a_picture', 415);
  const ready = await scaleDown(file, type);
  options.signal.throwIfAborted();
  if (ready.size > PICTURE_BYTES_MAX) throw new ApiProblem('too_large', 413);
  return send(ready, ready === file ? type : ready.type, options);
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

/**
 * An upload without any progress for this long has failed. Its total time is not limited: a large picture may take
 * minutes.
 */
const NO_PROGRESS_MS = 20_000;

/** Uploads with XMLHttpRequest, because fetch does not report upload progress. */
function send(body: Blob, type: string, { signal, onSent }: Options): Promise<StoredPicture> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), NO_PROGRESS_MS);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimer();
      onSent(total > 0 ? loaded / total : 0);
    };
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status === 201) return resolve(fromWireNames(answer as ReplyOf<typeof upload>));
      reject(reportRefused(new ApiProblem((answer as { code?: 'internal' }).code ?? 'internal', request.status)));
    };
    request.onerror = () => reject(new ApiProblem('offline', 0));
    request.onabort = () => reject(signal.aborted ? signal.reason : new ApiProblem('offline', 0));
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', '/uploads');
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(callerHeaders())) request.setRequestHeader(name, value);
    request.send(body);
    restartTimer();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
