import { readFileSync } from 'node:fs';

/** A town, or a part of one, with stores. */
export interface StorePlace {
  readonly name: string;
  /** The town in its addresses. */
  readonly city: string;
  readonly state: string;
  readonly country: 'GB' | 'IE';
  readonly latitude: number;
  readonly longitude: number;
  /** Its people. */
  readonly thousands: number;
  /** On a coast or a river: the bearing of its land in degrees. */
  readonly inland: number | null;
  /** Letters or a district of its postcodes, or an Irish routing key. */
  readonly postcode: string;
}

const [, ...rows] = readFileSync(new URL('store-places.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** Towns of Great Britain, Northern Ireland and Ireland, from cities to islands with a handful of stores. */
export const storePlaces: readonly StorePlace[] = rows.map((row) => {
  const [name = '', city, state = '', country, ...rest] = row.split(',');
  const [latitude, longitude, thousands] = rest.map(Number) as [number, number, number];
  const inland = rest[3] === '' ? null : Number(rest[3]);
  const address = { name, city: city || name, state, country: country as 'GB' | 'IE', postcode: rest[4]! };
  return { ...address, latitude, longitude, thousands, inland };
});
