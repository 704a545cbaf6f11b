import { z } from 'zod';
import { amount } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Default distance around `near`, in miles. */
const usualMiles = 10;

const Place = z
  .string()
  .regex(
    /^-?(90(\.0+)?|[1-8]?\d(\.\d+)?), ?-?(180(\.0+)?|(1[0-7]|[1-9])?\d(\.\d+)?)$/,
    'must be a latitude and a longitude in degrees, such as 51.5,-0.12',
  )
  .transform((text) => text.split(',').map(Number))
  .transform(([latitude, longitude]) => ({ latitude: latitude!, longitude: longitude! }));

export const stores = defineQuestion({
  parameters: {
    near: Place.optional().meta({ description: 'nearest stores first, from a point in degrees such as 51.5,-0.12' }),
    within: amount('must be a number, such as 5 or 0.5').meta({
      description: `miles as the crow flies from there (default: ${usualMiles})`,
    }),
  },
  columns: [
    ...fields('store_id'),
    { name: 'display_name', heading: 'Store' },
    { name: 'store_type', heading: 'Kind' },
    ...fields('miles'),
    { name: 'address1', heading: 'Address' },
    ...fields('city', 'postal_code', 'country'),
    { name: 'latitude', as: 'float' },
    { name: 'longitude', as: 'float' },
    ...fields('phone', 'email', 'time_zone'),
    { name: 'is_curbside_enabled', heading: 'Collection', as: 'yes-no' },
    ...fields('curbside_hours', 'closed_days', 'current_since'),
  ],
  table: ({ near }) => [
    ...['store_id', 'display_name', 'store_type'],
    ...(near ? ['miles'] : []),
    ...['city', 'postal_code', 'country'],
  ],
  isWhole: true,
  // Great-circle distance on a sphere with radius 3,958.8 miles; null for stores without a place. `least` ignores nulls
  // and would make them the farthest.
  sql: ({ near, within = usualMiles }, part) => sql`
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
    select
      store_id, display_name, store_type, miles::text as miles, address1, city, postal_code, country, latitude,
      longitude,
      phone, email, time_zone, is_curbside_enabled, curbside_hours, closed_days,
      to_char(current_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as current_since
    from measured
    where ${allOf(near && sql`miles <= ${within}`)}
    order by measured.miles nulls last, store_id
    ${cut(part)}`,
  head: ({ near = null, within = usualMiles }) => ({ near, within_miles: near && within }),
  async none({ near, within = usualMiles }, ask) {
    const { rows } = await ask(sql`select from marts.store_refresh limit 1`);
    if (rows.length === 0) return 'No stores are known yet. `pricebook stores --refresh` reads the store locator.';
    return near
      ? `No store is known within ${within} miles of this place.`
      : 'The store locator shows no stores in STORE_AREAS.';
  },
});
