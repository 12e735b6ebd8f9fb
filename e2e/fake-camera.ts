import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCheckDigit } from '@perfume/domain/codes';
import { type Browser, chromium } from '@playwright/test';
import bwip from 'bwip-js/node';
import sharp, { type OverlayOptions } from 'sharp';

/** A code to show to the camera. `kind` is the name of the symbology in bwip-js. */
export type ShownCode = {
  kind: (typeof kinds)[number];
  text: string;
  look: keyof typeof looks;
};

export const kinds = ['ean13', 'ean8', 'upca', 'upce', 'code128', 'qrcode', 'datamatrix'] as const;
/** How the camera sees a code. `blur` is a radius in pixels of a picture of 1280 × 720, `light` a part of full light. */
export const looks = {
  sharp: { blur: 0, light: 1 },
  'in dim light': { blur: 1, light: 0.25 },
  blurred: { blur: 2, light: 1 },
  'very blurred': { blur: 2.4, light: 1 },
} as const;

/** Returns 28 codes: every kind with every look. */
export function sampleCodes(): ShownCode[] {
  const names = Object.keys(looks) as ShownCode['look'][];
  return names.flatMap((look, n) => kinds.map((kind) => ({ kind, text: sampleText(kind, n), look })));
}

function sampleText(kind: ShownCode['kind'], n: number): string {
  switch (kind) {
    case 'ean13':
      return withCheckDigit(`4006381${10_000 + n}`);
    case 'ean8':
      return withCheckDigit(String(9_638_500 + n));
    case 'upca':
      return withCheckDigit(`036000${29_100 + n}`);
    case 'upce':
      return upcE(n);
    case 'code128':
      return `PW-OUD-${100 + n}`;
    case 'qrcode':
      return `https://perfume.example/bottle/${100 + n}`;
    case 'datamatrix':
      return `PW-LOT-${2_000 + n}`;
  }
}

/** Returns a UPC-E with its check digit, which is that of the UPC-A it stands for. */
function upcE(n: number): string {
  const maker = String(12 + n);
  const product = String(345 + n);
  const check = withCheckDigit(`0${maker}00000${product}`).at(-1);
  return `0${maker}${product}0${check}`;
}

const WIDTH = 1280;
const HEIGHT = 720;
/** Chromium plays files of JPEG pictures at this rate. */
const PICTURES_PER_SECOND = 30;
/**
 * Each picture has squares in the corner, which tell a program what is shown: the number of the code in binary, a white
 * square for each 1. Greys would not survive the way through the camera.
 */
export const MARK = { size: 40, bits: 6 } as const;

/** `startS` is the time that the decoder has to load. */
type Timing = { startS: number; shownS: number; gapS: number; endS: number };

/** Starts a browser whose camera shows the codes, and removes the video when the browser is closed. */
export async function launchWithCamera(codes: readonly ShownCode[], timing: Timing): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-video-'));
  const video = join(folder, 'codes.mjpeg');
  await writeVideo(video, codes, timing);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}

/**
 * Writes a video that shows each code in turn, with a gap after each, and nothing at the end: Chromium then starts again
 * from the beginning.
 */
async function writeVideo(file: string, codes: readonly ShownCode[], timing: Timing): Promise<void> {
  const repeat = (picture: Buffer, seconds: number) =>
    Array.from({ length: Math.round(seconds * PICTURES_PER_SECOND) }, () => picture);
  const shelf = await jpeg(0);
  const pictures = repeat(shelf, timing.startS);
  for (const [i, code] of codes.entries()) {
    pictures.push(...repeat(await jpeg(i + 1, code), timing.shownS), ...repeat(shelf, timing.gapS));
  }
  writeFileSync(file, Buffer.concat([...pictures, ...repeat(shelf, timing.endS)]));
}

async function jpeg(number: number, code?: ShownCode): Promise<Buffer> {
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
  return sharp(await (code ? seenAs(code.look, shown) : shown))
    .composite(markOf(number))
    .jpeg({ quality: 80 })
    .toBuffer();
}

function seenAs(look: ShownCode['look'], picture: Buffer): Promise<Buffer> {
  const { blur, light } = looks[look];
  const lit = sharp(picture).linear(light);
  return (blur > 0 ? lit.blur(blur) : lit).toBuffer();
}

function markOf(number: number): OverlayOptions[] {
  const { size, bits } = MARK;
  return Array.from({ length: bits }, (_, bit) => ({
    input: { create: { width: size, height: size, channels: 3, background: (number >> bit) & 1 ? '#fff' : '#000' } },
    left: bit * size,
    top: 0,
  }));
}

function draw({ kind, text }: ShownCode): Promise<Buffer> {
  const isSquare = kind === 'qrcode' || kind === 'datamatrix';
  return bwip.toBuffer({
    bcid: kind,
    text,
    scale: isSquare ? 6 : 4,
    ...(!isSquare && { height: 22, includetext: true }),
    padding: 10,
    backgroundcolor: 'FFFFFF',
  });
}
