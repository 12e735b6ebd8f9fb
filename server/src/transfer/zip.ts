import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** The files of an archive have no time of their own, so the same content always gives the same archive. */
const options = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

export type Archive = {
  /** Adds a file that is made while it is read. Resolves when all of it was read. */
  addText(path: string, text: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Adds a file of the disk, which must exist, as it is. */
  addFile(path: string, from: string): void;
};

/** A ZIP archive that is made while it is read: `fill` adds its files, one after the other. */
export function archiveOf(fill: (archive: Archive) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const stop = (error: Error) => output.destroy(error);
  zip.on('error', stop);
  fill({
    async addText(path, text) {
      const source = Readable.from(text);
      output.once('close', () => source.destroy());
      zip.addReadStream(source, path, options);
      await finished(source);
    },
    addFile: (path, from) => zip.addFile(from, path, { ...options, compress: false }),
  }).then(() => zip.end(), stop);
  return output;
}
