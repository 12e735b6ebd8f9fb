import { ean13Of } from '@perfume/domain/codes';
import { quietZones, type SymbolKind } from '@perfume/domain/labels';
import { code128, ean13, qrcode } from 'bwip-js/generic';

/** A symbol as one SVG path, to be filled by the even-odd rule. Its unit is a module; a barcode is 1 high and is stretched. */
export type DrawnSymbol = { path: string; viewBox: string };

const drawn = new Map<string, DrawnSymbol>();

/** Draws a symbol with its quiet zones. Each is drawn once: drawing takes a millisecond or more. */
export function drawSymbol(kind: SymbolKind, code: string): DrawnSymbol {
  const key = `${kind} ${code}`;
  const known = drawn.get(key) ?? draw(kind, code);
  drawn.set(key, known);
  return known;
}

function draw(kind: SymbolKind, code: string): DrawnSymbol {
  const [before, after] = quietZones[kind];
  const text = kind === 'ean13' ? (ean13Of(code) ?? code) : code;
  const { path, modules } = encode[kind]({ bcid: kind, text, scale: scaleOf[kind] }, pathDrawing());
  const height = kind === 'qrcode' ? before + modules + after : 1;
  return { path, viewBox: `${-before} ${kind === 'qrcode' ? -before : 0} ${before + modules + after} ${height}` };
}

const encode = { ean13, code128, qrcode };

/** The units of the library in a module. It rounds to whole units, and the middle of a bar may be half a module. */
const UNITS = 2;
/** A QR code has two units in a module by itself. */
const scaleOf = { ean13: UNITS, code128: UNITS, qrcode: 1 };

type Path = { path: string; modules: number };

/** Collects what the library draws: bars as lines, the squares of a QR code as polygons with their corners. */
function pathDrawing() {
  let modules = 0;
  const parts: string[] = [];
  const nothing = () => {};
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width: number) => {
      modules = width / UNITS;
    },
    line: (x: number, _y: number, _x: number, _to: number, width: number) => {
      parts.push(`M${(x - width / 2) / UNITS} 0h${width / UNITS}v1h${-width / UNITS}z`);
    },
    polygon: (corners: [number, number][]) => {
      parts.push(`M${corners.map(([x, y]) => `${x / UNITS} ${y / UNITS}`).join('L')}z`);
    },
    hexagon: nothing,
    ellipse: nothing,
    fill: nothing,
    text: nothing,
    end: (): Path => ({ path: parts.join(''), modules }),
  };
}
