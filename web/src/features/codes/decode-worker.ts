import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import decoderUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { FrameReply, FrameRequest, SeenCode } from './frame-messages.ts';

// Decodes pictures off the main thread, so that the page stays responsive. Only the response with this script allows
// WebAssembly; pages do not (server/src/http/headers.ts).

const formats = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'qr_code', 'data_matrix'] as const;

type Found = { rawValue: string; format: string; boundingBox: DOMRectReadOnly };
type Detector = { detect(picture: ImageBitmap): Promise<Found[]> };
type NativeDetector = {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
};

/** Takes the browser's own detector if it knows all formats, which uses less power, and ZXing otherwise. */
async function createDetector(): Promise<Detector> {
  const { BarcodeDetector: Native } = globalThis as { BarcodeDetector?: NativeDetector };
  const known = (await Native?.getSupportedFormats().catch(() => [])) ?? [];
  if (Native && formats.every((format) => known.includes(format))) return new Native({ formats });
  // Without `locateFile`, the package would load the decoder from a public host.
  prepareZXingModule({ overrides: { locateFile: () => decoderUrl } });
  return new BarcodeDetector({ formats: [...formats] });
}

let detector: Promise<Detector> | null = null;

async function decode(picture: ImageBitmap): Promise<SeenCode[]> {
  detector ??= createDetector();
  const found = await (await detector).detect(picture);
  return found
    .filter(({ rawValue }) => rawValue !== '')
    .map(({ rawValue, format, boundingBox: { x, y, width, height } }) => ({
      code: rawValue,
      format,
      offCentre: Math.hypot(x + width / 2 - picture.width / 2, y + height / 2 - picture.height / 2),
    }));
}

addEventListener('message', async ({ data: { id, picture } }: MessageEvent<FrameRequest>) => {
  const reply: FrameReply = await decode(picture).then(
    (codes) => ({ id, codes }),
    (problem) => ({ id, failed: String(problem) }),
  );
  picture.close();
  postMessage(reply);
});
