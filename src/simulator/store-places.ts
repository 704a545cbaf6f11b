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
  /** Letters of its postcodes, or an Irish routing key. */
  readonly postcode: string;
}

const [, ...rows] = readFileSync(new URL('store-places.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** Towns of Great Britain, Northern Ireland and Ireland, from cities to islands with a handful of stores. */
export const storePlaces: readonly StorePlace[] = rows.map((row) => {
  const [city = '', state = '', country, ...rest] = row.split(',');
  const [latitude, longitude, spreadMiles, weight] = rest.map(Number) as [number, number, number, number];
  return { city, state, country: country as 'GB' | 'IE', latitude, longitude, spreadMiles, weight, postcode: rest[4]! };
});
