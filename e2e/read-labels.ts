import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** A code that was found on paper. `left` and `top` are where it begins, in millimetres. */
type FoundCode = { format: string; text: string; left: number; top: number };
/** `text` has no spaces: where the reader of the PDF sees one depends on how the browser placed the letters. */
type PrintedPage = { width: number; height: number; text: string; codes: FoundCode[] };

const DOTS_PER_INCH = 300;
const MM_PER_INCH = 25.4;
const POINTS_PER_INCH = 72;

/** Rasterises a PDF as an office printer would, and reads the codes on each page. Lengths are in millimetres. */
export async function readLabels(pdf: Buffer): Promise<PrintedPage[]> {
  const decoder = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(decoder).buffer } });
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const pages: PrintedPage[] = [];
    for (const page of document.pages()) {
      // Rendering closes the page.
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const printedText = page.getText().replaceAll(/\s+/g, '');
      const { data, width, height } = await page.render({
        scale: DOTS_PER_INCH / POINTS_PER_INCH,
        render: 'bitmap',
      });
      const picture = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
      const found = await readBarcodes(picture, {
        formats: ['EAN13', 'Code128', 'QRCode'],
        tryHarder: true,
        maxNumberOfSymbols: 255,
      });
      pages.push({
        width: (originalWidth / POINTS_PER_INCH) * MM_PER_INCH,
        height: (originalHeight / POINTS_PER_INCH) * MM_PER_INCH,
        text: printedText,
        codes: found.map(({ format, text, position: { topLeft } }) => ({
          format,
          text,
          left: (topLeft.x / DOTS_PER_INCH) * MM_PER_INCH,
          top: (topLeft.y / DOTS_PER_INCH) * MM_PER_INCH,
        })),
      });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}
