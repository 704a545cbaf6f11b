import { z } from 'zod';
import type { Area } from '../../crawl/plan/area.ts';

/** Areas in which stores are searched. */
export interface StoreAreas {
  /** Canonical text, used to compare areas. */
  readonly text: string;
  readonly areas: readonly Area[];
}

/** Great Britain with its islands, Northern Ireland, and Ireland. */
const countries = '49.8,-8.7,60.9,1.8;54,-8.2,55.4,-5.4;51.3,-10.7,55.5,-5.9';

const shape = 'must be boxes of south,west,north,east in degrees, separated by `;`';

/** Boxes `south,west,north,east` separated by `;`. */
export const StoreAreasText = z.string().transform((text, context): StoreAreas => {
  const areas = text
    .split(';')
    .filter((box) => box.trim() !== '')
    .map(readBox);
  if (areas.length === 0 || areas.includes(null)) {
    context.issues.push({ code: 'custom', message: `${shape}, none across the 180th meridian`, input: text });
    return z.NEVER;
  }
  return asAreas(areas.filter((area) => area !== null));
});

export const defaultStoreAreas: StoreAreas = asAreas(countries.split(';').flatMap((box) => readBox(box) ?? []));

function readBox(box: string): Area | null {
  const numbers = box.split(',').map((number) => (number.trim() === '' ? Number.NaN : Number(number)));
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN] = numbers;
  const isBox =
    numbers.length === 4 && south >= -90 && south < north && north <= 90 && west >= -180 && west < east && east <= 180;
  return isBox ? { south, west, north, east } : null;
}

function asAreas(areas: readonly Area[]): StoreAreas {
  const text = areas.map(({ south, west, north, east }) => [south, west, north, east].join(',')).join(';');
  return { text, areas };
}
