import { readFileSync } from 'node:fs';
import type { Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

const NAME = 'virtual:outlines';
const FILE = 'outlines.json';

/**
 * Provides the module `virtual:outlines`: the URL of a file with the outlines of the world's countries. A resolution of
 * about 5 km makes the file smaller (87 kB with brotli instead of 190 kB). Names and Antarctica are left out.
 */
export function outlines(): Plugin {
  let text = '';
  const make = () => (text ||= JSON.stringify(coarser(source())));
  return {
    name: 'outlines',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return;
      if (this.environment.mode === 'dev') return `export default '/${FILE}'`;
      const file = this.emitFile({ type: 'asset', name: FILE, source: make() });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, answer) => {
        answer.setHeader('content-type', 'application/json');
        answer.end(make());
      });
    },
  };
}

const COARSER_X = 14;
const COARSER_Y = 28;
const ANTARCTICA = '010';

function coarser(world: Topology): Topology {
  const { transform } = world;
  const countries = world.objects.countries;
  if (!transform || countries?.type !== 'GeometryCollection') throw new Error('world-atlas has changed its shape');
  const { scale, translate } = transform;
  return {
    type: 'Topology',
    transform: { scale: [scale[0] * COARSER_X, scale[1] * COARSER_Y], translate },
    objects: {
      countries: {
        type: 'GeometryCollection',
        geometries: countries.geometries
          .filter((country) => country.id !== ANTARCTICA)
          .map((country) => ({ ...country, id: undefined, properties: undefined }) as unknown as typeof country),
      },
    },
    arcs: world.arcs.map((arc) => coarserArc(arc as [number, number][])),
  };
}

/** Rounds an arc, which is a start point followed by steps in whole units. Steps that round to zero are left out. */
function coarserArc(arc: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  let [x, y, lastX, lastY] = [0, 0, 0, 0];
  for (const [i, [dx, dy]] of arc.entries()) {
    x += dx;
    y += dy;
    const [nextX, nextY] = [Math.round(x / COARSER_X), Math.round(y / COARSER_Y)];
    const closes = i === arc.length - 1 && result.length < 2;
    if (i === 0 || closes || nextX !== lastX || nextY !== lastY) result.push([nextX - lastX, nextY - lastY]);
    [lastX, lastY] = [nextX, nextY];
  }
  return result;
}

function source(): Topology {
  return JSON.parse(readFileSync(new URL(import.meta.resolve('world-atlas/countries-50m.json')), 'utf8'));
}
