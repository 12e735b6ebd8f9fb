import { createReadStream } from 'node:fs';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The files of an archive have no time of their own, so the same content always gives the same archive. */
const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** Both resolve when all of the file was read, and reject if the reader of the archive has left. */
export type Archive = {
  /** Adds a file that is made while it is read. */
  addText(path: string, text: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Adds a file of the disk as it is. */
  addFile(path: string, from: string): Promise<void>;
};

/** A ZIP archive that is made while it is read: `fill` adds its files, one after the other. */
export function archiveOf(fill: (archive: Archive) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const stop = (error: Error) => output.destroy(error);
  zip.on('error', stop);

  async function add(path: string, source: Readable, compress: boolean): Promise<void> {
    const leave = () => source.destroy();
    output.once('close', leave);
    if (output.destroyed) leave();
    else zip.addReadStream(source, path, { ...options, compress });
    await finished(source).finally(() => output.off('close', leave));
  }

  fill({
    addText: (path, text) => add(path, Readable.from(text), true),
    addFile: (path, from) => add(path, createReadStream(from), false),
  }).then(() => zip.end(), stop);
  return output;
}
