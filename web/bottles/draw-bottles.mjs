// Draws the demo's perfume bottles: `node web/bottles/draw-bottles.mjs [folder]` writes web/public/bottles/<slug>.svg.
// Every bottle stands on GROUND, is lit from the left, and is readable on light and dark backgrounds.
// The output depends on this file alone and contains only colours and paths: no fonts, styles or scripts.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GROUND = 288;
const INK = '#2A1F1B';
const GOLD = '#B98632';

// ── Colour ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const toGamma = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

function toLab(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => toLinear(Number.parseInt(hex.slice(i, i + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([L, A, B]) {
  const l = (L + 0.3963377774 * A + 0.2158037573 * B) ** 3;
  const m = (L - 0.1055613458 * A - 0.0638541728 * B) ** 3;
  const s = (L - 0.0894841775 * A - 1.291485548 * B) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const byte = (v) => Math.round(255 * Math.min(1, Math.max(0, toGamma(Math.max(0, v)))));
  return `#${rgb.map((v) => byte(v).toString(16).padStart(2, '0')).join('')}`;
}

// Makes a colour lighter or darker in OKLab, which keeps its hue. `chroma` above 1 makes it more vivid, below 1 greyer.
function tone(hex, lightness, chroma = 1) {
  const [l, a, b] = toLab(hex);
  return toHex([Math.min(0.985, Math.max(0.08, l + lightness)), a * chroma, b * chroma]);
}

// ── Geometry ────────────────────────────────────────────────────────────────────────────────────────────────────────

const n = (v) =>
  String(Math.round(v * 10) / 10)
    .replace('-0.', '-.')
    .replace(/^0\./, '.');
const at = (...points) => points.map(([x, y]) => `${n(x)} ${n(y)}`).join(' ');

// Parses the right half of an outline, drawn from the neck down with the SVG path commands M, L, Q and C.
function parse(half) {
  const segments = [];
  let from = [0, 0];
  for (const [, command, numbers] of half.matchAll(/([MLQC])([^MLQC]*)/g)) {
    const v = numbers
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const points = [];
    for (let i = 0; i < v.length; i += 2) points.push([v[i], v[i + 1]]);
    if (command !== 'M') segments.push({ command, from, points });
    from = points.at(-1);
  }
  return segments;
}

const mapped = (segments, f) => segments.map((s) => ({ ...s, from: f(s.from), points: s.points.map(f) }));

function closed(segments) {
  const left = mapped(segments, ([x, y]) => [-x, y]).toReversed();
  const back = left.map(({ command, from, points }) => ({
    command,
    from: points.at(-1),
    points: [...points.slice(0, -1).toReversed(), from],
  }));
  const across = { command: 'L', from: segments.at(-1).points.at(-1), points: [back[0].from] };
  return `M${at(segments[0].from)}${[...segments, across, ...back].map(step).join('')}Z`;
}

function step({ command, from: [x0, y0], points }) {
  const [x, y] = points[0];
  if (command === 'L' && x === x0) return `V${n(y)}`;
  if (command === 'L' && y === y0) return `H${n(x)}`;
  return command + at(...points);
}

// Returns a function that gives half the width of the outline at a height.
function widths(segments) {
  const points = [];
  for (const { from, points: p } of segments) {
    for (let i = 0; i <= 40; i++) {
      const t = i / 40;
      const u = 1 - t;
      const all = [from, ...p];
      const weights = [
        [u, t],
        [u * u, 2 * u * t, t * t],
        [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3],
      ][all.length - 2];
      points.push([0, 1].map((k) => all.reduce((sum, point, j) => sum + point[k] * weights[j], 0)));
    }
  }
  return (y) => {
    let widest = 0;
    for (let i = 1; i < points.length; i++) {
      const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
      if (y < Math.min(y0, y1) || y > Math.max(y0, y1)) continue;
      widest = Math.max(widest, y0 === y1 ? Math.max(x0, x1) : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
    }
    return widest;
  };
}

// Returns the SVG path of a smooth curve through points. Relative coordinates keep the path short.
function smooth(points) {
  const near = ([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
  const p = points.map(near);
  const control = (from, a, b, sign) => [from[0] + (sign * (b[0] - a[0])) / 6, from[1] + (sign * (b[1] - a[1])) / 6];
  let d = '';
  for (let i = 0; i < p.length - 1; i++) {
    const [before, from, to, after] = [p[Math.max(0, i - 1)], p[i], p[i + 1], p[Math.min(p.length - 1, i + 2)]];
    const curve = [control(from, before, to, 1), control(to, from, after, -1), to];
    d += `c${at(...curve.map(([x, y]) => [x - from[0], y - from[1]]))}`;
  }
  return d;
}

// Draws a highlight on the glass that follows its outline and thins out at both ends.
function gleam(widthAt, side, top, bottom, inset, width, opacity) {
  const steps = 3;
  const outer = [];
  const inner = [];
  for (let i = 0; i <= steps; i++) {
    const y = top + ((bottom - top) * i) / steps;
    const edge = widthAt(y) - inset;
    outer.push([side * edge, y]);
    inner.unshift([side * (edge - width * [0.12, 1, 0.9, 0.1][i]), y]);
  }
  const straight = outer.every(([x]) => Math.abs(x - outer[0][0]) < 0.1);
  const down = straight ? `V${n(bottom)}` : smooth(outer);
  return `<path d="M${at(outer[0])}${down}H${n(inner[0][0])}${smooth(inner)}Z" fill="#fff" opacity="${opacity}"/>`;
}

// ── Paint ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// The colours of each gradient from left to right, with light from the left: shadow edge, light, body, shade, reflected
// light, shadow edge.
const material = {
  gold: ['#8A5E1E', '#FBEBBF', '#D9AB52', '#A06D24', '#E8C67F', '#7E551B'],
  silver: ['#77757A', '#FFFFFF', '#CDCBD0', '#86848B', '#E0DFE4', '#6E6C72'],
  copper: ['#8A4A32', '#FBDCC8', '#D59372', '#98543A', '#E6B397', '#7C412B'],
  lacquer: ['#5C5049', '#A4978D', '#3B312C', '#231C18', '#40362F', '#74675D'],
  ivory: ['#BFB19B', '#FFFEFA', '#F3EBDD', '#CDBFAA', '#EFE5D5', '#AFA08A'],
  oak: ['#96683A', '#E6C08D', '#CC9C63', '#A97840', '#C7975D', '#80562C'],
  walnut: ['#54351F', '#A87850', '#7A4F31', '#543320', '#74492D', '#43291A'],
  cork: ['#9A7245', '#DDBB8C', '#C9A06D', '#A57C4C', '#C39A66', '#8A653B'],
  chartreuse: ['#6F7A1E', '#E6EE9C', '#B7C244', '#828E25', '#C8D264', '#626C19'],
  oxblood: ['#5A1C1A', '#B9655C', '#7C2A26', '#541817', '#7D2F2B', '#451213'],
};
const OFFSETS = [0, 0.17, 0.38, 0.7, 0.91, 1];

function sheet(prefix) {
  const defs = [];
  const known = new Map();
  const add = (element) => {
    if (!known.has(element)) {
      known.set(element, prefix + known.size.toString(36));
      defs.push(element.replace('ID', known.get(element)));
    }
    return `url(#${known.get(element)})`;
  };
  const stop = ([offset, colour, opacity = 1]) =>
    `<stop${offset ? ` offset="${Math.round(offset * 100) / 100}"` : ''}${colour === '#000' ? '' : ` stop-color="${colour}"`}${opacity === 1 ? '' : ` stop-opacity="${opacity}"`}/>`;
  return {
    linear: (stops, attributes = '') =>
      add(`<linearGradient id="ID"${attributes}>${stops.map(stop).join('')}</linearGradient>`),
    radial: (stops, attributes = '') =>
      add(`<radialGradient id="ID"${attributes}>${stops.map(stop).join('')}</radialGradient>`),
    clip: (d) => add(`<clipPath id="ID"><path d="${d}"/></clipPath>`),
    outline: (d) => add(`<path id="ID" d="${d}"/>`).slice(4, -1),
    metal(name) {
      return this.linear(material[name].map((colour, i) => [OFFSETS[i], colour]));
    },
    ball(name) {
      const [, light, body, shade] = material[name];
      return this.radial(
        [
          [0, light],
          [0.38, body],
          [0.9, shade],
        ],
        ' cx=".36" cy=".3" r=".72"',
      );
    },
    defs: () => `<defs>${defs.join('')}</defs>`,
  };
}
const VERTICAL = ' x2="0" y2="1"';

// ── Outlines ────────────────────────────────────────────────────────────────────────────────────────────────────────

// The shapes of bottles. `half`: right half of the outline; `fill`: height of the perfume's surface; `wall` and `base`:
// thickness of the glass; `flat`: the surface has no curved edge (meniscus).
const outline = {
  flacon: {
    half: 'M15 92L15 106C15 120 32 122 46 134C70 154 72 200 65 246C62 268 60 276 57 281Q53 288 44 288',
    fill: 150,
  },
  cube: { half: 'M17 126L17 140L60 140Q70 140 70 150L70 278Q70 288 60 288', fill: 164, base: 18, wall: 8, flat: true },
  block: { half: 'M15 108L15 122L52 122Q60 122 60 130L60 280Q60 288 52 288', fill: 150, base: 30, wall: 8, flat: true },
  round: { half: 'M15 112L15 128C54 134 79 168 79 208C79 252 56 288 24 288', fill: 172, base: 10 },
  tall: { half: 'M12 82L12 94L30 94Q39 94 39 103L39 280Q39 288 31 288', fill: 126, base: 16 },
  pillar: { half: 'M20 112L20 118L40 118Q50 118 50 128L50 279Q50 288 41 288', fill: 140, base: 14 },
  teardrop: { half: 'M10 98C11 128 26 144 44 168C62 192 73 210 73 234C73 268 48 288 20 288', fill: 166, base: 12 },
  octagon: {
    half: 'M16 104L16 116L40 116L66 144L66 264L46 288',
    fill: 158,
    base: 14,
    flat: true,
    facets: [-1, -0.58, 0.58, 1],
  },
  apothecary: { half: 'M18 96L18 136C18 148 30 150 44 154Q62 159 62 178L62 278Q62 288 52 288', fill: 182, base: 11 },
  jar: { half: 'M22 116L22 132C22 140 34 142 46 145Q66 150 66 170L66 276Q66 288 54 288', fill: 172, base: 10 },
  amphora: {
    half: 'M13 84L13 108C13 130 60 128 64 166C68 208 28 248 17 268L17 272C22 276 36 278 36 288',
    fill: 150,
    base: 24,
  },
  book: { half: 'M16 92L16 106L64 106Q70 106 70 112L70 282Q70 288 64 288', fill: 126, base: 14, wall: 7, flat: true },
  globe: {
    half: 'M15 136L15 146C50 150 74 177 74 208C74 240 54 262 28 270L28 275Q46 278 48 288',
    bowl: 'M46 158Q69 176 69 208C69 240 40 264 0 264',
    fill: 182,
    base: 18,
  },
  bell: { half: 'M14 96L14 110C14 126 31 132 37 156C44 190 52 236 67 268Q76 288 58 288', fill: 158, base: 13 },
  lantern: {
    half: 'M15 108L15 118L42 128L68 170L50 288',
    fill: 158,
    base: 13,
    flat: true,
    facets: [-1, -0.45, 0.45, 1],
  },
  pebble: { half: 'M15 152L15 166C62 168 92 192 92 230C92 264 72 288 40 288', fill: 198, base: 10 },
  fluted: { half: 'M17 98L17 108L44 108Q53 108 53 117L53 281Q53 288 46 288', fill: 136, base: 14 },
  decanter: { half: 'M14 112L14 138C14 168 82 232 84 266Q85 288 64 288', fill: 206, base: 11 },
  deco: {
    half: 'M16 100L16 108L36 108Q40 108 40 112L40 124L52 124Q56 124 56 128L56 140L68 140Q72 140 72 144L72 283Q72 288 67 288',
    fill: 158,
    base: 14,
    wall: 6,
    flat: true,
  },
  arch: { half: 'M14 98L14 110C46 112 64 138 64 176L64 282Q64 288 58 288', fill: 154, base: 12, wall: 6 },
  barrel: { half: 'M17 106L17 118L44 118Q55 118 58 128C70 172 70 232 58 279Q56 288 46 288', fill: 150, base: 14 },
  gourd: { half: 'M11 96L11 104C32 108 36 122 30 136C26 150 70 160 70 216C70 262 52 288 22 288', fill: 176, base: 10 },
  prism: {
    half: 'M12 104L12 116L24 116L76 280Q78 288 70 288',
    fill: 160,
    base: 16,
    flat: true,
    facets: [-1, -0.34, 1],
  },
  onion: {
    half: 'M10 102C10 124 28 132 46 150C66 168 77 190 77 214C77 246 62 264 44 276L44 279Q52 281 54 288',
    bowl: 'M43 153C62 170 72 192 72 214C72 250 40 272 0 272',
    fill: 168,
    base: 18,
  },
};

// ── Caps: each stands on y; w is half its width, h its height ───────────────────────────────────────────────────────

const box = (x, y, w, h, fill, more = '') =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}"${more}/>`;
const line = (d, stroke, width, opacity) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}"${opacity ? ` opacity="${opacity}"` : ''}/>`;
const shape = (d, fill, opacity) => `<path d="${d}" fill="${fill}"${opacity ? ` opacity="${opacity}"` : ''}/>`;

const cap = {
  cylinder({ y, w, h, of, paint }) {
    const top = y - h;
    return (
      box(-w, top, 2 * w, h, paint.metal(of), ' rx="3"') +
      line(`M${n(-w + 3)} ${n(top + 1)}h${n(2 * w - 6)}`, '#fff', 1.2, 0.45) +
      line(`M${n(-w)} ${n(y - 4)}h${n(2 * w)}`, '#000', 1, 0.22)
    );
  },
  brushed(o) {
    let lines = '';
    for (let y = o.y - o.h + 7; y < o.y - 5; y += 4) lines += `M${n(-o.w)} ${n(y)}h${n(2 * o.w)}`;
    return cap.cylinder(o) + line(lines, '#5B3B0C', 0.6, 0.28);
  },
  wood(o) {
    const top = o.y - o.h;
    const x = -o.w;
    const grain = [0.3, 0.52, 0.74, 0.88]
      .map((t, i) => `M${n(x + 2 * o.w * t)} ${n(top + 2)}q${i % 2 ? -3 : 3} ${n(o.h * 0.45)} 0 ${n(o.h - 4)}`)
      .join('');
    return (
      box(x, top, 2 * o.w, o.h, o.paint.metal(o.of), ' rx="4"') +
      line(grain, '#4A2C12', 0.8, 0.35) +
      line(`M${n(x + 4)} ${n(top + 1)}h${n(2 * o.w - 8)}`, '#fff', 1.2, 0.4)
    );
  },
  sphere({ y, w, of, paint }) {
    const r = w;
    const cy = y - r * 0.94;
    return (
      `<circle cy="${n(cy)}" r="${n(r)}" fill="${paint.ball(of)}"/>` +
      `<ellipse cx="${n(-r * 0.36)}" cy="${n(cy - r * 0.42)}" rx="${n(r * 0.22)}" ry="${n(r * 0.15)}" fill="#fff" opacity=".75" transform="rotate(-35 ${n(-r * 0.36)} ${n(cy - r * 0.42)})"/>`
    );
  },
  dome({ y, w, h, of, grain, paint }) {
    const d = `M${n(-w)} ${y}v${n(-h * 0.45)}C${at([-w, y - h * 0.85], [-w * 0.55, y - h], [0, y - h])}S${at([w, y - h * 0.85], [w, y - h * 0.45])}V${y}Z`;
    return (
      shape(d, paint.metal(of)) +
      (grain
        ? line(
            [-0.35, 0.05, 0.4, 0.64]
              .map(
                (t) =>
                  `M${n(w * t)} ${n(y - h * (0.9 - t * t * 0.6))}q${n(w * t * 0.4)} ${n(h * 0.3)} 0 ${n(h * (0.88 - t * t * 0.6))}`,
              )
              .join(''),
            '#4A2C12',
            0.9,
            0.4,
          )
        : line(`M${n(-w)} ${n(y - h * 0.16)}h${n(2 * w)}`, '#000', 1, 0.22)) +
      shape(
        `M${at([-w * 0.7, y - h * 0.5])}q${n(w * 0.06)} ${n(-h * 0.3)} ${n(w * 0.42)} ${n(-h * 0.4)}q${n(-w * 0.22)} ${n(h * 0.16)} ${n(-w * 0.26)} ${n(h * 0.4)}Z`,
        '#fff',
        0.5,
      )
    );
  },
  facets({ y, w, h, of, paint }) {
    const top = y - h;
    const x = (t) => w * t;
    const girdle = top + h * 0.36;
    return (
      shape(
        `M${at([x(-0.58), top], [x(0.58), top], [x(1), girdle], [x(0.5), y], [x(-0.5), y], [x(-1), girdle])}Z`,
        paint.metal(of),
      ) +
      shape(
        `M${at([x(-0.58), top], [x(-0.3), girdle], [x(-1), girdle])}ZM${at([x(-0.58), top], [x(0.58), top], [x(0.3), girdle], [x(-0.3), girdle])}Z`,
        '#fff',
        0.3,
      ) +
      shape(
        `M${at([x(-0.3), girdle], [x(0.3), girdle], [x(0.2), y], [x(-0.2), y])}ZM${at([x(0.58), top], [x(1), girdle], [x(0.3), girdle])}Z`,
        '#fff',
        0.14,
      ) +
      shape(`M${at([x(0.3), girdle], [x(1), girdle], [x(0.5), y], [x(0.2), y])}Z`, '#000', 0.22) +
      line(`M${at([x(-1), girdle], [x(1), girdle])}`, '#fff', 0.8, 0.5)
    );
  },
  slab(o) {
    return cap.cylinder(o) + box(-o.w, o.y - o.h, 2 * o.w, 5, '#fff', ' rx="3" opacity=".16"');
  },
  pinstripe(o) {
    const stripes = [-0.6, -0.2, 0.2, 0.6].map((t) => `M${n(o.w * t)} ${n(o.y - o.h + 5)}V${n(o.y - 3)}`).join('');
    return (
      cap.cylinder(o) +
      line(stripes, '#D9AB52', 1.6, 0.9) +
      box(-o.w, o.y - o.h, 2 * o.w, 4, o.paint.metal('gold'), ' rx="1.5"')
    );
  },
  drop({ y, w, h, of, paint }) {
    const top = y - h;
    return (
      shape(
        `M0 ${n(top)}C${at([w * 0.3, top + h * 0.34], [w, top + h * 0.46], [w, top + h * 0.7])}C${at([w, y - h * 0.06], [w * 0.5, y], [0, y])}S${at([-w, y - h * 0.06], [-w, top + h * 0.7])}C${at([-w, top + h * 0.46], [-w * 0.3, top + h * 0.34], [0, top])}Z`,
        paint.metal(of),
      ) +
      shape(
        `M${at([-w * 0.66, top + h * 0.72])}q0 ${n(-h * 0.16)} ${n(w * 0.46)} ${n(-h * 0.34)}q${n(-w * 0.2)} ${n(h * 0.18)} ${n(-w * 0.16)} ${n(h * 0.36)}Z`,
        '#fff',
        0.6,
      )
    );
  },
  // A ground-glass stopper in the colour of the scent.
  glass({ y, w, paint, colour }) {
    const cy = y - w - 4;
    return (
      shape(`M${n(-9)} ${y}L${n(-7)} ${n(y - 10)}h14L${n(9)} ${y}Z`, tone(colour, 0.1, 0.6), 0.7) +
      `<circle cy="${n(cy)}" r="${w}" fill="${paint.radial(
        [
          [0, tone(colour, 0.5, 0.35), 0.95],
          [0.55, tone(colour, 0.22, 0.75), 0.8],
          [1, tone(colour, -0.06), 0.85],
        ],
        ' cx=".38" cy=".32" r=".7"',
      )}"/>` +
      line(
        `M${n(-w * 0.62)} ${n(cy)}a${n(w * 0.62)} ${n(w * 0.62)} 0 1 1 ${n(w * 1.24)} 0a${n(w * 0.62)} ${n(w * 0.62)} 0 1 1 ${n(-w * 1.24)} 0`,
        '#fff',
        1,
        0.4,
      ) +
      shape(
        `M${n(-w * 0.78)} ${n(cy + 2)}a${n(w * 0.8)} ${n(w * 0.8)} 0 0 1 ${n(w * 0.62)} ${n(-w * 0.76)}a${n(w * 1.2)} ${n(w * 1.2)} 0 0 0 ${n(-w * 0.62)} ${n(w * 0.76)}Z`,
        '#fff',
        0.8,
      )
    );
  },
  cork({ y, w, h, of, paint }) {
    const top = y - h;
    const specks = [
      [-0.5, 0.3],
      [0.1, 0.5],
      [0.5, 0.25],
      [-0.15, 0.72],
      [0.42, 0.66],
    ]
      .map(([u, v]) => `M${n(w * u)} ${n(top + h * v)}h3`)
      .join('');
    return (
      shape(
        `M${at([-w * 1.1, top + 3], [-w * 1.05, top], [w * 1.05, top], [w * 1.1, top + 3], [w * 0.9, y], [-w * 0.9, y])}Z`,
        paint.metal(of),
      ) + line(specks, '#5E3D1C', 1.6, 0.5)
    );
  },
  spire({ y, w, h, of, paint }) {
    return (
      cap.drop({ y: y - 8, w, h: h - 8, of, paint }) + box(-w * 0.7, y - 9, w * 1.4, 9, paint.metal(of), ' rx="2"')
    );
  },
  roof({ y, w, h, of, paint }) {
    const ring = w * 0.24;
    const top = y - h + ring * 2;
    return (
      `<circle cy="${n(top - ring + 1)}" r="${n(ring)}" fill="none" stroke="${material[of][2]}" stroke-width="2.6"/>` +
      shape(
        `M${at([-4, top])}h8L${at([w * 0.5, top + h * 0.3], [w, y - 6])}v6H${n(-w)}v-6L${at([-w * 0.5, top + h * 0.3])}Z`,
        paint.metal(of),
      ) +
      line(`M${n(-w)} ${n(y - 6)}h${n(2 * w)}`, '#000', 1, 0.3)
    );
  },
};

// ── Labels and their ornaments ──────────────────────────────────────────────────────────────────────────────────────

const turn = (count, f, from = -90) =>
  Array.from({ length: count }, (_, i) => f(((from + (360 * i) / count) * Math.PI) / 180)).join('');
const polar = (r, a) => [r * Math.cos(a), r * Math.sin(a)];
const petal = (r, spread) => (a) =>
  `M0 0Q${at(polar(r * 0.72, a - spread), polar(r, a))}Q${at(polar(r * 0.72, a + spread), [0, 0])}`;
const dot = (x, y, r) => `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 1 ${n(2 * r)} 0a${r} ${r} 0 1 1 ${n(-2 * r)} 0Z`;
const leaf = (x, y, dx, dy) =>
  `M${n(x)} ${n(y)}q${n(dx * 0.2 - dy * 0.35)} ${n(dy * 0.2 + dx * 0.35)} ${n(dx)} ${n(dy)}q${n(-dx * 0.8 + dy * 0.35)} ${n(-dy * 0.8 - dx * 0.35)} ${n(-dx)} ${n(-dy)}Z`;

// Ornaments, drawn within about 14 units of the centre. `s` is a path that is stroked, `f` a path that is filled.
const ornament = {
  moon: {
    f: `M5 -13A13 13 0 1 0 13 6A10.5 10.5 0 0 1 5 -13ZM9 -9l1.2 3.3 3.3 1.2-3.3 1.2L9 0l-1.2-3.3L4.5 -4.5l3.3-1.2Z`,
  },
  rings: {
    s: 'M-13 1a13 12.5 0 1 1 26 0a13 12.5 0 1 1-26 0M-9 2a9 8.5 0 1 1 17.5-1a9 8.5 0 1 1-17.5 1M-5 2a4.8 4.6 0 1 1 9.5 0a4.8 4.6 0 1 1-9.5 0',
    f: dot(0, 2, 1.5),
  },
  iris: {
    s: 'M0 2C-7-4-5-11 0-14C5-11 7-4 0 2M0 2C-6-3-13-2-12 6M0 2C6-3 13-2 12 6M0 2V14M0 14C-2 10-5 9-7 9M0 14C2 10 5 9 7 9',
    f: dot(0, 3, 1.8),
  },
  tooling: { s: 'M0-14L11 0L0 14L-11 0ZM0-8L6 0L0 8L-6 0Z', f: `${dot(0, 0, 2)}${dot(0, -17, 1.3)}${dot(0, 17, 1.3)}` },
  seven: { f: 'M-8-13H9V-11L-1 13H-5L5-9H-4Q-6-9-6.5-6H-8Z' },
  salt: { s: 'M-9-9H9V9H-9ZM0-13L13 0L0 13L-13 0Z', f: dot(0, 0, 2.4) },
  sun: { s: `${turn(12, (a) => `M${at(polar(9.5, a))}L${at(polar(14, a))}`)}`, f: dot(0, 0, 6.5) },
  peony: { s: `${turn(8, petal(14, 0.62))}`, f: dot(0, 0, 3) },
  rose: {
    s: 'M0-1C3-3 2-6-1-6C-5-6-6-1-3 2C1 5 7 2 7-3C7-9 1-12-4-11C-11-9-12 1-7 5C-3 8 3 8 6 6M0 7V15',
    f: leaf(0, 14, 9, -5),
  },
  curl: { s: 'M-13 9C-4 13 10 10 11-1C12-10 1-14-4-8C-8-3-3 4 2 1C5-1 4-5 1-5M-13 13H8' },
  fig: { s: 'M0-13C0-8 9-4 10 4C10 11 5 14 0 14S-10 11-10 4C-9-4 0-8 0-13M0-2V10M-5 2Q-6 6-4 10M5 2Q6 6 4 10' },
  mimosa: {
    s: 'M-9 14C-3 6 2-2 7-13M-3 5H-9M0 1L7 3M3-5L-4-8',
    f: [
      [-10, 5, 3],
      [9, 4, 3.2],
      [-5, -9, 3],
      [8, -12, 3],
    ]
      .map((p) => dot(...p))
      .join(''),
  },
  grass: {
    s: 'M0 3C0-6-2-10-8-13M0 3C0-5 2-11 9-13M0 3V-14M0 3C-1-3-5-6-11-6M0 3C1-3 5-6 11-6M-12 4H12M0 4V14M0 5C-3 8-5 8-6 13M0 5C3 8 5 8 6 13',
  },
  blossom: { f: `${turn(5, petal(14, 0.55))}` },
  tea: { s: 'M0 14V-2', f: `${leaf(0, 1, 0, -15)}${leaf(0, 6, 12, -8)}${'M0 6q-8 2.5-12-8q8 0 12 8Z'}` },
  waves: { s: [-7, 0, 7].map((y) => `M-14 ${y}q3.5-5 7 0t7 0t7 0t7 0`).join('') },
  juniper: {
    s: 'M0 14V-14M0 10l-9-6M0 10l9-6M0 4l-10-7M0 4l10-7M0-2l-8-7M0-2l8-7M0-8l-4-5M0-8l4-5',
    f: `${dot(-8, 11, 3)}${dot(8, 11, 3)}`,
  },
  rain: { s: 'M-10-12l-3 8M-2-13l-4 11M7-12l-4 11M13-8l-3 8M-14 5H14M-9 9H9M-4 13H4' },
  quince: {
    s: 'M-2-8C-9-8-12-2-11 5C-10 11-5 14 0 14S10 11 11 4C12-4 7-8 2-8C1-6-1-6-2-8M0-7V-12',
    f: leaf(0, -10, 9, -4),
  },
  myrtle: {
    s: 'M0 14V-9',
    f:
      [-7, 0, 7].map((y) => `M0 ${y + 4}q-7 1-10-6q7-2 10 6Z M0 ${y + 4}q7 1 10-6q-7-2-10 6Z`).join('') +
      dot(0, -12, 2.2),
  },
  crocus: {
    s: 'M0 13C-9 9-12-2-10-10C-6-8-3-5-2-2C-2-7-1-11 0-14C1-11 2-7 2-2C3-5 6-8 10-10C12-2 9 9 0 13ZM0 8V1M0 8C-2 5-3 3-3 1M0 8C2 5 3 3 3 1',
  },
  smoke: { s: 'M0 9C-8 3 7-1 0-14M-5 9C-11 4-3 0-7-6M5 9C11 4 3 0 7-6M-9 13H9' },
  star: { s: 'M-9-9H9V9H-9ZM0-12.7L12.7 0L0 12.7L-12.7 0Z', f: `${turn(8, petal(6, 0.5))}` },
  jasmine: { s: `${turn(5, petal(14, 0.6))}M0 0V16`, f: dot(0, 0, 2.2) },
};

const labelShape = {
  rect: (w, h) => `M${-w} ${-h}H${w}V${h}H${-w}Z`,
  arch: (w, h) => `M${-w} ${h}V${n(w - h)}A${w} ${w} 0 0 1 ${w} ${n(w - h)}V${h}Z`,
  oval: (w, h) => `M${-w} 0A${w} ${h} 0 1 1 ${w} 0A${w} ${h} 0 1 1 ${-w} 0Z`,
  cut: (w, h) => `M${7 - w} ${-h}H${w - 7}L${w} ${7 - h}V${h - 7}L${w - 7} ${h}H${7 - w}L${-w} ${h - 7}V${7 - h}Z`,
  scoop: (w, h) =>
    `M${8 - w} ${-h}H${w - 8}A8 8 0 0 0 ${w} ${8 - h}V${h - 8}A8 8 0 0 0 ${w - 8} ${h}H${8 - w}A8 8 0 0 0 ${-w} ${h - 8}V${8 - h}A8 8 0 0 0 ${8 - w} ${-h}Z`,
};

function drawLabel(
  { kind = 'rect', y, w, h, sign, ink = INK, paper = '#FCF7EC', frame = GOLD, size = 1.15, rule = true },
  paint,
) {
  const { s, f } = ornament[sign];
  const bare = kind === 'none';
  const withRule = rule && !bare && kind !== 'oval';
  const mark =
    `<g transform="translate(0 ${withRule ? -6 : 0})${size === 1 ? '' : ` scale(${size})`}">` +
    (s ? `<path d="${s}" fill="none" stroke="${ink}" stroke-width="${n(1.5 / size)}" stroke-linecap="round"/>` : '') +
    (f ? shape(f, ink) : '') +
    '</g>';
  const sheetOfPaper = bare
    ? ''
    : shape(
        labelShape[kind](w, h),
        paint.linear([
          [0.5, paper],
          [1, tone(paper, -0.09)],
        ]),
      ).replace('/>', ' stroke="#000" stroke-opacity=".16"/>') + line(labelShape[kind](w - 3.5, h - 3.5), frame, 0.9);
  const ruleMark = withRule
    ? line(`M${-w + 10} ${h - 10.5}H-4M4 ${h - 10.5}H${w - 10}`, ink, 0.9, 0.8) +
      shape(`M0 ${h - 13}l2.5 2.5l-2.5 2.5l-2.5-2.5Z`, ink)
    : '';
  return `<g transform="translate(0 ${y})">${sheetOfPaper}${mark}${ruleMark}</g>`;
}

// ── One bottle ──────────────────────────────────────────────────────────────────────────────────────────────────────

// The caps that are stoppers. A stopper has no spray pump, so no tube hangs from it into the perfume.
const STOPPERS = new Set(['glass', 'cork', 'drop', 'spire']);

function draw(bottle, index) {
  const { colour, glass = 'clear', shift = 0 } = bottle;
  const { half, bowl, fill, wall = 5, base = 12, flat = false, facets } = outline[bottle.shape];
  const paint = sheet(String.fromCharCode(97 + index));
  const segments = parse(half);
  const neckY = segments[0].from[1];
  const neck = segments[0].from[0];
  const widthAt = widths(segments);
  const widest = Math.max(...Array.from({ length: GROUND - neckY }, (_, i) => widthAt(neckY + i)));
  const foot = widthAt(GROUND - 2);
  const body = paint.outline(closed(segments));
  const glassOf = (attributes) => `<use href="${body}" ${attributes}/>`;
  const kx = (widest - wall) / widest;
  const ky = (GROUND - base - neckY) / (GROUND - neckY);
  const hollow = bowl ? parse(bowl) : mapped(segments, ([x, y]) => [x * kx, neckY + (y - neckY) * ky]);
  const insideSegments = hollow.filter((s) => s.points.at(-1)[1] > fill - 2); // Only glass that the perfume touches.
  const inside = closed(insideSegments);
  const insideAt = widths(insideSegments);
  const opaque = glass !== 'clear';
  const light = toLab(colour)[0];

  const glow = paint.radial([
    [0, tone(colour, 0.16, 1.15), 0.65],
    [1, colour, 0],
  ]);
  const shadow =
    `<ellipse cx="${n(7)}" cy="${GROUND}" rx="${n(foot * 1.1 + 22)}" ry="8" fill="${paint.radial([
      [0, '#000', 0.45],
      [0.55, '#000', 0.2],
      [1, '#000', 0],
    ])}"/>` + `<ellipse cx="${n(foot * 0.55)}" cy="${GROUND + 2}" rx="${n(foot * 0.8 + 8)}" ry="5" fill="${glow}"/>`;

  let glassBody;
  if (opaque) {
    const stops =
      glass === 'milk'
        ? [
            [0, tone(colour, -0.2)],
            [0.12, tone(colour, 0.02)],
            [0.36, tone(colour, 0.08, 0.6)],
            [0.72, tone(colour, -0.09)],
            [0.92, tone(colour, -0.01)],
            [1, tone(colour, -0.22)],
          ]
        : [
            [0, tone(colour, 0.26)],
            [0.05, tone(colour, 0.1)],
            [0.2, tone(colour, 0.05)],
            [0.7, tone(colour, -0.05)],
            [0.93, tone(colour, 0.1)],
            [1, tone(colour, 0.3)],
          ];
    glassBody =
      glassOf(`fill="${paint.linear(stops)}"`) +
      glassOf(
        `fill="${paint.linear(
          [
            [0, '#fff', 0.12],
            [0.4, '#fff', 0],
            [1, '#000', 0.25],
          ],
          VERTICAL,
        )}"`,
      );
  } else {
    const rim = tone(colour, light < 0.45 ? 0.2 : -0.1, 0.85);
    const pale = tone(colour, Math.max(0.1, 0.86 - light), 0.5);
    const wet = insideAt(fill);
    const surface = flat ? 2 : Math.min(6, wet * 0.09);
    const clip = paint.clip(inside);
    const dry = (GROUND - base - neckY) / (GROUND - neckY);
    glassBody =
      glassOf(
        `fill="${paint.linear([
          [0, rim, 0.75],
          [0.1, pale, 0.42],
          [0.45, pale, 0.2],
          [0.88, pale, 0.4],
          [1, rim, 0.8],
        ])}"`,
      ) +
      glassOf(
        `fill="${paint.linear(
          [
            [dry, colour, 0],
            [dry + 0.01, colour, 0.35],
            [1, tone(colour, 0.1), 0.6],
          ],
          VERTICAL,
        )}"`,
      ) +
      `<g clip-path="${clip}">` +
      box(
        -widest,
        fill,
        2 * widest,
        GROUND - fill,
        paint.linear([
          [0, tone(colour, -0.1)],
          [0.2, tone(colour, 0.07)],
          [0.75, tone(colour, -0.03)],
          [0.94, tone(colour, 0.04, 1.1)],
          [1, tone(colour, -0.08)],
        ]),
      ) +
      box(
        -widest,
        fill,
        2 * widest,
        GROUND - fill,
        paint.linear(
          [
            [0, '#fff', 0.2],
            [0.35, '#fff', 0],
            [0.6, '#000', 0],
            [1, '#000', 0.24],
          ],
          VERTICAL,
        ),
      ) +
      `<ellipse cx="${n(widest * 0.45)}" cy="${n(GROUND - base - 14)}" rx="${n(widest * 0.5)}" ry="30" fill="${glow}"/>` +
      (flat
        ? box(-wet, fill - 1, 2 * wet, surface, tone(colour, 0.24, 0.8))
        : `<ellipse cy="${fill}" rx="${n(wet)}" ry="${n(surface)}" fill="${tone(colour, 0.15, 0.9)}"/><path d="M${n(-wet)} ${fill}a${n(wet)} ${n(surface)} 0 0 0 ${n(2 * wet)} 0" fill="none" stroke="#fff" stroke-width="1.2" opacity=".6"/>`) +
      '</g>' +
      (STOPPERS.has(bottle.cap.kind) ? '' : box(-1.6, neckY, 3.2, fill - neckY + 40, '#fff', ' opacity=".28"')) +
      line(
        `M${n(-insideAt(GROUND - base - 3) * 0.8)} ${GROUND - base + 1.5}h${n(insideAt(GROUND - base - 3) * 1.6)}`,
        '#fff',
        1.6,
        0.5,
      );
  }

  let planes = '';
  if (facets) {
    const corners = segments.filter((s) => s.command === 'L').map((s) => s.points[0]);
    const [top, ...rest] = [corners.at(0), ...corners.slice(1)];
    const points = [top, ...rest, [widthAt(GROUND - 1), GROUND]];
    for (let i = 1; i < facets.length; i++) {
      const edge = (t) => points.map(([x, y]) => [x * t, y]);
      const d = `M${at(...edge(facets[i - 1]), ...edge(facets[i]).toReversed())}Z`;
      if (i === 1) planes += shape(d, '#fff', 0.22);
      if (i === facets.length - 1) planes += shape(d, tone(colour, -0.16), 0.2);
      if (i > 1) planes += line(`M${at(...edge(facets[i - 1]))}`, '#fff', 1, 0.5);
    }
  }
  if (bottle.shape === 'fluted') {
    let flutes = '';
    for (const t of [-0.8, -0.56, -0.3, 0, 0.3, 0.56, 0.8]) flutes += `M${n(53 * t)} 112V284`;
    planes +=
      line(flutes, '#000', 1, 0.16) +
      line(flutes, '#fff', 1, 0.35).replace('<path', '<path transform="translate(1.4 0)"');
  }

  const shoulder = bottle.shape === 'deco' ? 150 : Math.max(fill - 18, neckY + 30);
  const low = GROUND - base - 12;
  const rimStroke = tone(colour, light < 0.5 ? 0.24 : -0.16, 0.7);
  const edges =
    glassOf(`fill="none" stroke="${rimStroke}" stroke-width="1.2" opacity=".6"`) +
    gleam(widthAt, -1, shoulder, low - 8, wall + 4, Math.max(6, widest * 0.13), opaque ? 0.34 : 0.55) +
    gleam(widthAt, 1, shoulder + 24, low - 14, wall + 2, 2.6, 0.4);

  const collarAt = bottle.collar?.y ?? neckY;
  const collar = bottle.collar
    ? box(
        -neck - (bottle.collar.out ?? 4),
        collarAt,
        2 * (neck + (bottle.collar.out ?? 4)),
        bottle.collar.h ?? 9,
        paint.metal(bottle.collar.of),
        ' rx="1.5"',
      ) + line(`M${n(-neck - 3)} ${n(collarAt + (bottle.collar.h ?? 9) / 2)}h${n(2 * neck + 6)}`, '#000', 0.8, 0.25)
    : '';
  const { kind, ...capSize } = bottle.cap;
  const top = cap[kind]({ y: collarAt + 0.5, colour, paint, ...capSize });
  const label = bottle.label ? drawLabel(bottle.label, paint) : '';
  const [behind, front] = [bottle.behind?.(paint, colour) ?? '', bottle.front?.(paint, colour) ?? ''];
  const over = bottle.over?.(paint) ?? '';
  const picture = behind + glassBody + planes + over + edges + label + top + collar + front;
  const placed = `<g transform="translate(${120 + shift})">${shadow}${picture}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="300" viewBox="0 0 240 300">${paint.defs()}${placed}</svg>\n`
    .replace(/(?<![\d.#])0\.(?=\d)/g, '.')
    .replace(/ d="[^"]+"/g, (d) => d.slice(0, 2) + d.slice(2).replaceAll(' -', '-'));
}

// ── The shelf ───────────────────────────────────────────────────────────────────────────────────────────────────────

const curve = (d, stroke, width, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"${more}/>`;

const handles = () =>
  curve('M-13 98C-46 92-64 110-57 148', '#C8963E', 5.5) +
  curve('M13 98C46 92 64 110 57 148', '#A06D24', 5.5) +
  curve('M-16 96.5C-46 92-63 110-58 142', '#FBEBBF', 1.4);

const bulb = (paint) =>
  line('M14 118C42 112 56 128 70 140', '#A87A30', 4) +
  `<g transform="rotate(28 96 158)"><ellipse cx="96" cy="158" rx="31" ry="24" fill="${paint.ball('oxblood')}"/>` +
  line('M66 158h61M70 148q26-12 52 0M70 168q26 12 52 0', '#000', 1, 0.3) +
  curve('M78 145q10-7 22-6', '#fff', 3.5, ' opacity=".5"') +
  '</g>' +
  curve('M121 172q5 8 2 22m-4-21q1 10-3 20m8-22q7 8 8 18', '#D9AB52', 1.5);

const twine = () =>
  curve('M-22 126h44M-22 130h44M-22 134h44', '#D8BE94', 2.6) +
  curve('M8 130q14 10 20 26m-20-26q5 12-3 24', '#D8BE94', 1.6);

const lip = (paint, colour) =>
  box(
    -24,
    94,
    48,
    7,
    paint.linear([
      [0, tone(colour, -0.1)],
      [0.2, tone(colour, 0.35, 0.4)],
      [0.6, tone(colour, 0.15, 0.6)],
      [1, tone(colour, -0.1)],
    ]),
    ' rx="3.5"',
  );

const hoops = (paint) =>
  shape(
    'M-62.5 143Q0 149 62.5 143L64 152Q0 158-64 152ZM-64 258Q0 264 64 258L62 267Q0 273-62 267Z',
    paint.metal('copper'),
  );

const tooled = () =>
  line('M-46 140H46V260H-46ZM-46 148H-38V140M46 148H38V140M-46 252H-38V260M46 252H38V260', '#E9C679', 1.1, 0.85);

const gilding = (paint) =>
  shape(
    'M-13.5 106H13.5V110H-13.5ZM-18.5 266H18.5L17 272C22 276 36 278 36 288H-36C-36 278-22 276-17 272Z',
    paint.metal('gold'),
  );

const setbacks = () => line('M-56 144V270M-40 128V270M40 128V270M56 144V270', '#fff', 1, 0.4);

const gold = { of: 'gold' };
const night = { paper: '#2B211D', ink: '#EBC77E' };
const shelf = [
  {
    slug: 'nuit-d-encre',
    shape: 'flacon',
    colour: '#57244E',
    cap: { kind: 'cylinder', w: 20, h: 56, of: 'lacquer' },
    collar: { ...gold, y: 90 },
    label: { y: 222, w: 29, h: 32, sign: 'moon' },
  },
  {
    slug: 'ambre-gris-no-7',
    shape: 'cube',
    colour: '#D2963A',
    cap: { kind: 'brushed', w: 29, h: 50, of: 'gold' },
    collar: { of: 'lacquer', y: 122, h: 6, out: 6 },
    label: { y: 220, w: 28, h: 30, sign: 'seven' },
  },
  {
    slug: 'rose-chartreuse',
    shape: 'round',
    colour: '#B4224F',
    cap: { kind: 'facets', w: 29, h: 52, of: 'chartreuse' },
    collar: { ...gold, y: 108 },
    label: { kind: 'oval', y: 222, w: 28, h: 33, sign: 'rose', size: 1.35 },
  },
  {
    slug: 'vetiver-cotier',
    shape: 'tall',
    colour: '#2E6E52',
    cap: { kind: 'cylinder', w: 17, h: 54, of: 'lacquer' },
    collar: { ...gold, y: 78, h: 8 },
    label: { y: 212, w: 25, h: 40, sign: 'grass' },
  },
  {
    slug: 'fleur-des-salines',
    shape: 'block',
    colour: '#5F9DBE',
    cap: { kind: 'facets', w: 31, h: 50, of: 'silver' },
    collar: { of: 'silver', y: 104, h: 8 },
    label: { kind: 'cut', y: 206, w: 28, h: 32, sign: 'salt', frame: '#7FA3B5' },
  },
  {
    slug: 'oud-clair',
    shape: 'octagon',
    colour: '#94500F',
    cap: { kind: 'facets', w: 29, h: 56, of: 'gold' },
    collar: { ...gold, y: 100 },
    label: { kind: 'cut', y: 212, w: 28, h: 34, sign: 'rings', ...night },
  },
  {
    slug: 'santal-doux',
    shape: 'pillar',
    colour: '#CC946A',
    cap: { kind: 'wood', w: 42, h: 62, of: 'oak' },
    collar: { ...gold, y: 109, h: 6, out: 6 },
    label: { y: 216, w: 30, h: 34, sign: 'curl' },
  },
  {
    slug: 'iris-de-craie',
    shape: 'arch',
    colour: '#938BC7',
    cap: { kind: 'sphere', w: 24, of: 'ivory' },
    collar: { of: 'silver', y: 92 },
    label: { kind: 'arch', y: 222, w: 28, h: 38, sign: 'iris', frame: '#938BC7' },
  },
  {
    slug: 'cuir-de-reliure',
    shape: 'book',
    colour: '#842B28',
    cap: { kind: 'slab', w: 34, h: 42, of: 'gold' },
    collar: { of: 'gold', y: 88, h: 6, out: 2 },
    label: { kind: 'scoop', y: 198, w: 28, h: 36, sign: 'tooling', ink: '#842B28', rule: false, size: 1.25 },
    over: tooled,
  },
  {
    slug: 'midi-sourd',
    shape: 'bell',
    colour: '#EC9046',
    cap: { kind: 'dome', w: 22, h: 54, of: 'oak', grain: true },
    collar: { ...gold, y: 92, h: 7 },
    label: { kind: 'oval', y: 228, w: 31, h: 31, sign: 'sun', ink: '#B4561A' },
  },
  {
    slug: 'pivoine-seize',
    shape: 'teardrop',
    colour: '#E58FA6',
    cap: { kind: 'drop', w: 19, h: 66, of: 'copper' },
    collar: { of: 'copper', y: 92, h: 8 },
    label: { kind: 'oval', y: 236, w: 29, h: 29, sign: 'peony', ink: '#A63A5E', frame: '#D59372' },
  },
  {
    slug: 'figuier-du-nord',
    shape: 'gourd',
    colour: '#5C8B45',
    cap: { kind: 'sphere', w: 23, of: 'walnut' },
    collar: { ...gold, y: 90, h: 8 },
    label: { kind: 'oval', y: 230, w: 27, h: 33, sign: 'fig' },
  },
  {
    slug: 'mimosa-poudrier',
    shape: 'globe',
    colour: '#EFC33A',
    shift: -34,
    cap: { kind: 'dome', w: 18, h: 40, of: 'gold' },
    collar: { ...gold, y: 128, h: 11, out: 5 },
    label: { kind: 'oval', y: 221, w: 28, h: 28, sign: 'mimosa', ink: '#8A5A10' },
    behind: bulb,
  },
  {
    slug: 'neroli-goudron',
    shape: 'barrel',
    colour: '#2B2422',
    glass: 'ink',
    cap: { kind: 'brushed', w: 26, h: 46, of: 'copper' },
    collar: { of: 'lacquer', y: 102, h: 6, out: 5 },
    label: { kind: 'oval', y: 205, w: 32, h: 32, sign: 'blossom', ink: '#D5762A', frame: '#D59372', size: 1.35 },
    over: hoops,
  },
  {
    slug: 'cargaison-de-the',
    shape: 'fluted',
    colour: '#B9622A',
    cap: { kind: 'dome', w: 30, h: 58, of: 'copper' },
    collar: { of: 'copper', y: 94, h: 7, out: 8 },
    label: { y: 206, w: 31, h: 33, sign: 'tea' },
  },
  {
    slug: 'embrun-noir',
    shape: 'decanter',
    colour: '#234A70',
    cap: { kind: 'glass', w: 23 },
    collar: { of: 'silver', y: 108, h: 8 },
    label: { kind: 'scoop', y: 244, w: 34, h: 25, sign: 'waves', rule: false },
  },
  {
    slug: 'juniper-ledger',
    shape: 'apothecary',
    colour: '#3F8B86',
    cap: { kind: 'glass', w: 24 },
    label: { kind: 'scoop', y: 226, w: 36, h: 36, sign: 'juniper' },
    front: lip,
  },
  {
    slug: 'slate-after-rain',
    shape: 'pebble',
    colour: '#66778A',
    cap: { kind: 'brushed', w: 22, h: 40, of: 'silver' },
    collar: { of: 'silver', y: 148, h: 7 },
    label: { kind: 'oval', y: 238, w: 36, h: 27, sign: 'rain' },
  },
  {
    slug: 'burnt-quince',
    shape: 'deco',
    colour: '#DB5C45',
    cap: { kind: 'pinstripe', w: 27, h: 52, of: 'lacquer' },
    collar: { ...gold, y: 94, h: 9 },
    label: { y: 222, w: 30, h: 36, sign: 'quince', ...night },
    over: setbacks,
  },
  {
    slug: 'myrtle-and-peat',
    shape: 'jar',
    colour: '#75702C',
    cap: { kind: 'cork', w: 20, h: 38, of: 'cork' },
    label: { kind: 'rect', y: 224, w: 37, h: 36, sign: 'myrtle', paper: '#EFE2C8' },
    front: twine,
  },
  {
    slug: 'saffron-court',
    shape: 'prism',
    colour: '#DC5520',
    cap: { kind: 'sphere', w: 25, of: 'gold' },
    collar: { ...gold, y: 98, h: 9 },
    label: { kind: 'oval', y: 234, w: 28, h: 28, sign: 'crocus', ink: '#A8380F' },
  },
  {
    slug: 'luban-at-dawn',
    shape: 'amphora',
    colour: '#EADCC4',
    glass: 'milk',
    cap: { kind: 'sphere', w: 18, of: 'gold' },
    collar: { ...gold, y: 78, h: 8, out: 5 },
    label: { kind: 'none', y: 180, sign: 'smoke', size: 1.8, ink: '#A87428' },
    behind: handles,
    over: gilding,
  },
  {
    slug: 'majlis-blue',
    shape: 'onion',
    colour: '#137384',
    cap: { kind: 'spire', w: 15, h: 72, of: 'gold' },
    collar: { ...gold, y: 98, h: 8 },
    label: { kind: 'none', y: 222, sign: 'star', size: 1.9, ink: '#F2D590' },
  },
  {
    slug: 'jasmine-lantern',
    shape: 'lantern',
    colour: '#C3CF66',
    cap: { kind: 'roof', w: 31, h: 64, of: 'gold' },
    collar: { ...gold, y: 104, h: 8 },
    label: { kind: 'cut', y: 216, w: 27, h: 34, sign: 'jasmine', ink: '#4F5A1C' },
  },
];

// The picture for an item without one: an outline in a grey-brown that is visible on light and dark backgrounds.
const fallback = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="300" viewBox="0 0 240 300"><ellipse cx="124" cy="288" rx="82" ry="6" fill="#A3917F" opacity=".2"/><g fill="#A3917F" fill-opacity=".1" stroke="#A3917F" stroke-width="3" stroke-linejoin="round"><path transform="translate(120)" d="${closed(parse(outline.flacon.half))}"/><rect x="100" y="34" width="40" height="52" rx="4"/><path d="M98 87h44v8H98Z"/></g><g fill="none" stroke="#A3917F" stroke-width="2.5" stroke-linecap="round"><path d="M92 190h56v62H92Z" stroke-linejoin="round"/><path d="M120 208q11 14 0 24q-11-10 0-24M108 242h24M66 164q8-6 16-6"/></g></svg>\n`;

const folder = process.argv[2] ?? fileURLToPath(new URL('../public/bottles', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [index, bottle] of shelf.entries()) writeFileSync(join(folder, `${bottle.slug}.svg`), draw(bottle, index));
writeFileSync(join(folder, 'fallback.svg'), fallback);
