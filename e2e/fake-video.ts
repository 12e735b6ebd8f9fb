import { writeFileSync } from 'node:fs';
import bwip from 'bwip-js/node';
import sharp from 'sharp';

/** A code to show to the camera. `kind` is the name of the symbology in bwip-js. */
export type ShownCode = {
  kind: 'ean13' | 'ean8' | 'upca' | 'upce' | 'code128' | 'qrcode' | 'datamatrix';
  text: string;
  /** The radius of the blur in pixels: 0 is sharp. */
  blur: number;
};

const WIDTH = 1280;
const HEIGHT = 720;
/** Chromium plays files of JPEG pictures at this rate. */
const PICTURES_PER_SECOND = 30;
/** Each picture has a grey square in the corner, which tells a program what is shown: n × 8 for the n-th code. */
export const MARK = { size: 40, step: 8 } as const;

type Timing = { shownS: number; gapS: number; endS: number };

/**
 * Writes a video for Chromium's `--use-file-for-fake-video-capture`. It shows each code in turn, with a gap after each,
 * and nothing at the end: Chromium then starts again from the beginning.
 */
export async function writeFakeVideo(file: string, codes: readonly ShownCode[], timing: Timing): Promise<void> {
  const repeat = (picture: Buffer, seconds: number) =>
    Array.from({ length: Math.round(seconds * PICTURES_PER_SECOND) }, () => picture);
  const shelf = await jpeg(0);
  const pictures = repeat(shelf, timing.gapS);
  for (const [i, code] of codes.entries()) {
    pictures.push(...repeat(await jpeg(i + 1, code), timing.shownS), ...repeat(shelf, timing.gapS));
  }
  writeFileSync(file, Buffer.concat([...pictures, ...repeat(shelf, timing.endS)]));
}

async function jpeg(number: number, code?: ShownCode): Promise<Buffer> {
  const grey = number * MARK.step;
  const mark = { width: MARK.size, height: MARK.size, channels: 3, background: { r: grey, g: grey, b: grey } } as const;
  const label =
    code &&
    (await sharp(await draw(code))
      .flatten({ background: '#fff' })
      .toBuffer());
  const shelf = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#d8cfc2' } });
  const shown = await shelf
    .composite(label ? [{ input: label }] : [])
    .png()
    .toBuffer();
  const blurred = code && code.blur > 0 ? await sharp(shown).blur(code.blur).toBuffer() : shown;
  return sharp(blurred)
    .composite([{ input: { create: mark }, left: 0, top: 0 }])
    .jpeg({ quality: 80 })
    .toBuffer();
}

function draw({ kind, text }: ShownCode): Promise<Buffer> {
  const isSquare = kind === 'qrcode' || kind === 'datamatrix';
  return bwip.toBuffer({
    bcid: kind,
    text,
    scale: isSquare ? 6 : 3,
    ...(!isSquare && { height: 22, includetext: true }),
    padding: 10,
    backgroundcolor: 'FFFFFF',
  });
}
