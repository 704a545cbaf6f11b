/**
 * A rectangle on the globe between two parallels and two meridians, in degrees. It does not cross the 180th meridian.
 */
export interface Area {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Mean radius of the earth. */
const earthMiles = 3_958.8;

/** Great-circle distance. */
export function milesBetween(one: Point, other: Point): number {
  const a =
    Math.sin(radians(other.latitude - one.latitude) / 2) ** 2 +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** Areas that cover the same ground as the given ones without overlapping. */
export function withoutOverlaps(areas: readonly Area[]): Area[] {
  const distinct: Area[] = [];
  for (const area of areas) {
    let left = [area];
    for (const taken of [...distinct]) left = left.flatMap((piece) => without(piece, taken));
    distinct.push(...left);
  }
  return distinct;
}

/** An area minus another one: up to four pieces. */
function without(area: Area, taken: Area): Area[] {
  const south = Math.max(area.south, taken.south);
  const north = Math.min(area.north, taken.north);
  const west = Math.max(area.west, taken.west);
  const east = Math.min(area.east, taken.east);
  if (south >= north || west >= east) return [area];
  return [
    { ...area, north: south },
    { ...area, south: north },
    { south, north, west: area.west, east: west },
    { south, north, west: east, east: area.east },
  ].filter((piece) => piece.south < piece.north && piece.west < piece.east);
}

/** Splits an area across its longer side. */
export function halve(area: Area): [Area, Area] {
  const { south, west, north, east } = area;
  const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 };
  const height = milesBetween({ latitude: south, longitude: west }, { latitude: north, longitude: west });
  const width = milesBetween(
    { latitude: middle.latitude, longitude: west },
    { latitude: middle.latitude, longitude: east },
  );
  return height >= width
    ? [
        { ...area, north: middle.latitude },
        { ...area, south: middle.latitude },
      ]
    : [
        { ...area, east: middle.longitude },
        { ...area, west: middle.longitude },
      ];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
