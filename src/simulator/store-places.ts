import { readFileSync } from 'node:fs';

/** A town with stores: their spread in miles, and its share of all stores. */
export interface StorePlace {
  readonly city: string;
  readonly state: string;
  readonly country: 'GB' | 'IE';
  readonly latitude: number;
  readonly longitude: number;
  readonly spreadMiles: number;
  readonly weight: number;
}

const [, ...rows] = readFileSync(new URL('store-places.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** Towns of Great Britain, Northern Ireland and Ireland, from cities to islands with a handful of stores. */
export const storePlaces: readonly StorePlace[] = rows.map((row) => {
  const [city, state, country, ...numbers] = row.split(',') as [string, string, StorePlace['country'], ...string[]];
  const [latitude, longitude, spreadMiles, weight] = numbers.map(Number) as [number, number, number, number];
  return { city, state, country, latitude, longitude, spreadMiles, weight };
});
