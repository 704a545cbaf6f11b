import { Drawing } from './drawing.tsx';
import { linear } from './scale.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly isGone: boolean;
}

interface PointMapProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly places: readonly Place[];
}

const width = 720;
const margin = { left: 48, right: 8, top: 8, bottom: 24 };

/** Map of places by coordinates with a grid of degrees and no base map. Places that are gone are crosses. */
export function PointMap({ id, title, description, places }: PointMapProps) {
  const box = boxOf(places);
  const inner = width - margin.left - margin.right;
  // A degree of longitude gets shorter with distance from the equator.
  const squeeze = Math.cos(((box.south + box.north) / 2) * (Math.PI / 180));
  const height = Math.round(
    Math.min(900, Math.max(240, (inner * (box.north - box.south)) / ((box.east - box.west) * squeeze))),
  );
  const perDegree = Math.min(inner / ((box.east - box.west) * squeeze), height / (box.north - box.south));
  const x = (longitude: number) => Math.round(margin.left + (longitude - box.west) * squeeze * perDegree);
  const bottom = margin.top + height;
  const y = linear([box.south, box.north], [bottom, bottom - perDegree * (box.north - box.south)]);
  const here = [
    ...new Set(
      places.filter(({ isGone }) => !isGone).map((at) => `M${x(at.longitude)} ${Math.round(y(at.latitude))}h0`),
    ),
  ];
  const gone = [
    ...new Set(places.filter(({ isGone }) => isGone).map((at) => cross(x(at.longitude), Math.round(y(at.latitude))))),
  ];
  return (
    <figure>
      <ul class="key">
        <li>
          <svg width="12" height="12" aria-hidden="true">
            <path class="place" d="M6 6h0" />
          </svg>{' '}
          a store that is there
        </li>
        {gone.length > 0 && (
          <li>
            <svg width="12" height="12" aria-hidden="true">
              <path class="place gone" d={cross(6, 6)} />
            </svg>{' '}
            a store that is gone
          </li>
        )}
      </ul>
      <Drawing id={id} title={title} description={description} width={width} height={bottom + margin.bottom}>
        {degrees(box.south, box.north).map((latitude) => (
          <g key={latitude}>
            <path class="grid" d={`M${margin.left} ${y(latitude)}H${width - margin.right}`} />
            <text class="tick" x={margin.left - 6} y={y(latitude) + 4} text-anchor="end">
              {named(latitude, 'N', 'S')}
            </text>
          </g>
        ))}
        {degrees(box.west, box.east).map((longitude) => (
          <g key={longitude}>
            <path class="grid" d={`M${x(longitude)} ${margin.top}V${bottom}`} />
            <text class="tick" x={x(longitude)} y={bottom + 16} text-anchor="middle">
              {named(longitude, 'E', 'W')}
            </text>
          </g>
        ))}
        <path class="place" d={here.join('')} />
        <path class="place gone" d={gone.join('')} />
      </Drawing>
    </figure>
  );
}

function cross(x: number, y: number): string {
  return `M${x - 4} ${y - 4}l8 8m0-8l-8 8`;
}

/** Bounding box of all places, at least 0.1 degrees in each direction. */
function boxOf(places: readonly Place[]) {
  let [south, north, west, east] = [90, -90, 180, -180];
  for (const { latitude, longitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  const room = Math.max(0.05, 0.03 * Math.max(north - south, east - west));
  return { south: south - room, north: north + room, west: west - room, east: east + room };
}

/** Round degrees for grid lines, at most eight. */
function degrees(from: number, to: number): number[] {
  const step = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45].find((size) => (to - from) / size <= 8) ?? 90;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) =>
    Number(((first + i) * step).toFixed(2)),
  );
}

function named(degree: number, positive: string, negative: string): string {
  return `${Math.abs(degree)}° ${degree < 0 ? negative : degree > 0 ? positive : ''}`.trim();
}
