import type { RegionCode } from '../../../src/base/model/index.ts';
import type { SimulatorOptions } from '../../../src/simulator/index.ts';
import type { Chance } from '../../support/chance.ts';

/** Catalogues and their nights. There are few, so that each undisturbed course is computed once. */
export interface Catalogue {
  readonly name: string;
  /** Products a region. */
  readonly items: number;
  readonly seed: number;
  /** More simulator options. */
  readonly more?: SimulatorOptions;
  readonly regions: readonly RegionCode[];
  /** When each night begins, an instant whose date is that of both regions. */
  readonly nights: readonly string[];
  readonly maxDetails: number;
}

const both: readonly RegionCode[] = ['uk', 'ie'];

export const catalogues: readonly Catalogue[] = [
  { name: 'winter', items: 300, seed: 11, regions: ['uk'], nights: nightsFrom('2026-02-10'), maxDetails: 15 },
  { name: 'both regions', items: 200, seed: 12, regions: both, nights: nightsFrom('2026-05-19'), maxDetails: 8 },
  { name: 'large', items: 600, seed: 13, regions: ['uk'], nights: nightsFrom('2026-01-05'), maxDetails: 0 },
  {
    name: 'irish',
    items: 300,
    more: { superDepartments: 6 },
    seed: 14,
    regions: ['ie'],
    nights: nightsFrom('2026-07-30'),
    maxDetails: 10,
  },
  {
    name: 'before midnight',
    items: 240,
    seed: 15,
    regions: both,
    nights: ['2026-02-20T23:59:57Z', '2026-02-21T23:59:58Z', '2026-02-22T23:59:57Z'],
    maxDetails: 5,
  },
  {
    name: 'clocks go back',
    items: 240,
    seed: 16,
    regions: both,
    // Local midnight, then the second before 02:00 is 01:00 again.
    nights: ['2026-10-23T23:00:01Z', '2026-10-25T00:59:58Z', '2026-10-26T00:00:01Z'],
    maxDetails: 5,
  },
  {
    name: 'clocks go forward',
    items: 240,
    seed: 17,
    regions: both,
    nights: ['2027-03-27T00:00:01Z', '2027-03-28T00:59:58Z', '2027-03-28T23:00:01Z'],
    maxDetails: 5,
  },
];

/** Its offers are a category of more than twelve pages, which the second and third night leave out. */
export const repeating: Catalogue = {
  name: 'repeating',
  items: 1_500,
  seed: 18,
  more: { pageSize: 10, secondListing: 1, dailyTurnover: 0.04 },
  regions: ['uk'],
  nights: [10, 11, 12, 13].map((day) => `2026-03-${day}T02:00:00Z`),
  maxDetails: 5,
};

/** Simulator options of a catalogue. */
export function upstreamOf({ items, seed, more }: Catalogue): SimulatorOptions {
  return { items, seed, ...more };
}

export function drawCatalogue(chance: Chance): Catalogue {
  return chance.pick(catalogues);
}

/** The date of a night in London and Dublin, which share their clock. */
export function dateOf(night: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date(night));
}

function nightsFrom(date: string): string[] {
  const first = Date.parse(`${date}T02:00:00Z`);
  return [0, 1, 2].map((day) => new Date(first + day * 86_400_000).toISOString());
}
