import outlinesUrl from 'virtual:outlines';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/**
 * Loads the outlines of all countries as polygons. A polygon that crosses the date line is drawn on both sides of the
 * map.
 */
export async function loadOutlines(signal: AbortSignal): Promise<MultiPolygon[]> {
  const answer = await fetch(outlinesUrl, { signal });
  if (!answer.ok) throw new Error(`outlines: ${answer.status}`);
  const world = (await answer.json()) as Topology<{ countries: GeometryCollection }>;
  return feature(world, world.objects.countries).features.map(({ geometry }) => ({
    type: 'MultiPolygon',
    coordinates: polygonsOf(geometry as Polygon | MultiPolygon).flatMap(onBothSides),
  }));
}

function polygonsOf(geometry: Polygon | MultiPolygon): Position[][][] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

function onBothSides(polygon: Position[][]): Position[][][] {
  const rings = polygon.map(unrolled);
  const longitudes = rings.flat().map(([longitude = 0]) => longitude);
  const copies = [rings];
  if (Math.max(...longitudes) > 180) copies.push(shifted(rings, -360));
  if (Math.min(...longitudes) < -180) copies.push(shifted(rings, 360));
  return copies;
}

/**
 * Removes the jumps at the date line from a ring. A step of more than 180° crosses the line; the longitudes then
 * continue beyond 180° instead of jumping to the other side.
 */
function unrolled(ring: Position[]): Position[] {
  let turn = 0;
  let last: number | undefined;
  return ring.map(([longitude = 0, latitude = 0]) => {
    if (last !== undefined && longitude - last > 180) turn -= 360;
    if (last !== undefined && longitude - last < -180) turn += 360;
    last = longitude;
    return [longitude + turn, latitude];
  });
}

function shifted(rings: Position[][], by: number): Position[][] {
  return rings.map((ring) => ring.map(([longitude = 0, latitude = 0]) => [longitude + by, latitude]));
}
