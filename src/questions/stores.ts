import { z } from 'zod';
import { NothingFound } from '../base/errors.ts';
import { fields } from './columns.ts';
import { amount, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Default distance around `near`, in miles. */
const usualMiles = 10;

const countries = { GB: 'United Kingdom', IE: 'Ireland' };
const codeOf = (named: string) =>
  Object.entries(countries).find(([, name]) => name.toLowerCase() === named.toLowerCase())?.[0] ?? named;

const Place = z
  .string()
  .regex(
    /\p{L}|^-?(90(\.0+)?|[1-8]?\d(\.\d+)?), ?-?(180(\.0+)?|(1[0-7]|[1-9])?\d(\.\d+)?)$/u,
    'must be a latitude and a longitude in degrees, such as 51.5,-0.12, or a town',
  )
  .transform((text) => {
    const [latitude = Number.NaN, longitude = Number.NaN] = text.split(',').map(Number);
    return { latitude, longitude, town: /\p{L}/u.test(text) ? text : undefined };
  });

export const stores = defineQuestion({
  name: 'stores',
  about: 'stores, all or those near a place',
  parameters: {
    words: textUpTo(200).meta({
      description: 'only stores whose name, town, address or postcode has words that begin with these',
      label: 'Name, town or postcode',
    }),
    country: textUpTo(100).meta({ description: 'only this country: GB or IE', names: countries }),
    near: Place.optional().meta({
      description: 'nearest stores first, from a town or a point in degrees such as 51.5,-0.12',
    }),
    within: amount('must be a number, such as 5 or 0.5').meta({
      description: `miles as the crow flies from there (default: ${usualMiles})`,
      label: 'Within, miles',
    }),
  },
  columns: [
    ...fields('store_id'),
    { name: 'display_name', heading: 'Store' },
    { name: 'store_type', heading: 'Kind' },
    { name: 'miles', heading: 'Distance, miles', as: 'decimal', decimals: 1 },
    { name: 'address1', heading: 'Address' },
    { name: 'city', heading: 'Town' },
    ...fields('postal_code'),
    { name: 'country', names: countries },
    ...fields('latitude', 'longitude', 'phone', 'email', 'time_zone'),
    { name: 'is_curbside_enabled', heading: 'Collection', as: 'yes-no' },
    { name: 'curbside_hours', heading: 'Collection hours', as: 'sentence' },
    ...fields('closed_days'),
    { name: 'current_since', as: 'instant' },
  ],
  table: ({ near }) => [
    ...(['display_name', 'store_type'] as const),
    ...(near ? (['miles'] as const) : []),
    ...(['city', 'postal_code', 'country'] as const),
  ],
  key: ['store_id'],
  isWhole: true,
  async settle(parameters, ask) {
    const town = parameters.near?.town;
    if (town === undefined) return parameters;
    const { rows } = await ask(sql`
      select avg(latitude)::float8 as latitude, avg(longitude)::float8 as longitude from marts.dim_store
      where lower(city) = lower(${town}) and gone_at is null`);
    if (rows[0]?.['latitude'] == null) throw new NothingFound(`No store is in a town called ${town}.`);
    return { ...parameters, near: { ...rows[0], town } as never };
  },
  // Great-circle distance on a sphere of 3,958.8 miles; null for stores without a place, which `least` would ignore.
  rows: ({ near, within = usualMiles, words, country }) => sql`
    with measured as (
      select
        s.*, round((2 * 3958.8 * asin(sqrt(case when haversine > 1 then 1 else haversine end)))::numeric, 2) as miles
      from marts.dim_store s
      cross join (
        select ${near?.latitude ?? null}::float8 as latitude, ${near?.longitude ?? null}::float8 as longitude
      ) as near
      cross join lateral (
        select
          power(sin(radians(s.latitude - near.latitude) / 2), 2)
          + cos(radians(near.latitude)) * cos(radians(s.latitude))
            * power(sin(radians(s.longitude - near.longitude) / 2), 2) as haversine
      ) as angle
      where s.gone_at is null
    )
    select * from measured
    where ${allOf(
      near && sql`miles <= ${within}`,
      country && sql`lower(country) = lower(${codeOf(country)})`,
      words &&
        sql`concat_ws(' ', display_name, address1, city, postal_code, replace(postal_code, ' ', ''))
          ~* all (${words.split(/\s+/).map((word) => `\\m${word.replaceAll(/[^\p{L}\p{N}]/gu, '.')}`)}::text[])`,
    )}`,
  order: () => sql`measured.miles nulls last, country, city, display_name, store_id`,
  none: () => 'No known store matches or lies that near. `pricebook stores --refresh` reads the store locator.',
});
