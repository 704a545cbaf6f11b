import { z } from 'zod';
import { textUpTo, Words } from '../../questions/parameters.ts';
import { columnsOf, fields } from '../../questions/question.ts';
import { allOf, PageRows, sql } from '../../questions/sql.ts';
import { stores as question } from '../../questions/stores.ts';
import { searchScript } from '../assets.ts';
import { PointMap } from '../charts/point-map.tsx';
import { filled, TableCard } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Choice, Field, Filters, Pager } from '../parts.tsx';
import { longDate, number, plural, text } from '../words.ts';

interface Store {
  readonly display_name: string | null;
  readonly gone_at: Date | null;
}

const rowsOfPage = 20;

export const stores = definePage({
  path: '/stores',
  nav: 'Stores',
  isOperations: true,
  about: 'Shops of the store locator on a map, as last seen.',
  script: searchScript,
  parameters: {
    words: Words.meta({ description: 'Part of name, city, county or postal code' }),
    country: textUpTo(100),
    type: textUpTo(100).meta({ description: 'Kind of shop' }),
    presence: z.enum(['there', 'gone', 'both']).default('there'),
    page: PageNumber,
  },
  queries: (p) => {
    const which = allOf(
      p.words !== undefined &&
        sql`strpos(lower(concat_ws(' ', display_name, address1, city, state, postal_code)), lower(${p.words})) > 0`,
      p.country !== undefined && sql`country = ${p.country}`,
      p.type !== undefined && sql`store_type = ${p.type}`,
      p.presence === 'there' && sql`gone_at is null`,
      p.presence === 'gone' && sql`gone_at is not null`,
    );
    return {
      stores: {
        caption: 'Stores',
        sql: sql`
          select
            store_id, display_name, store_type, address1, city, state, postal_code, country, latitude, longitude,
            phone, is_curbside_enabled, first_seen_at, gone_at
          from marts.dim_store
          where ${which}
          order by country, city, display_name, store_id
          limit ${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}`,
        columns: [
          ...columnsOf(question, 'display_name', 'store_type', 'address1', 'city'),
          { name: 'state', heading: 'County' },
          ...columnsOf(question, 'postal_code', 'is_curbside_enabled'),
          ...fields('first_seen_at'),
          { name: 'gone_at', heading: 'Gone', as: 'instant' },
        ],
        none: 'No stores match. `pricebook stores --refresh` reads the store locator.',
      } as Query<Store>,
      map: {
        caption: 'Places',
        sql: sql`
          select latitude, longitude, gone_at is not null as is_gone, count(*) as stores
          from marts.dim_store
          where latitude is not null and longitude is not null and ${which}
          group by latitude, longitude, gone_at is not null
          order by latitude, longitude, is_gone
          limit 20000`,
        columns: [],
      } as Query<{
        readonly latitude: number;
        readonly longitude: number;
        readonly is_gone: boolean;
        readonly stores: string;
      }>,
      kinds: {
        caption: 'By country and kind',
        sql: sql`
          select
            country, store_type, count(*) filter (where gone_at is null) as there,
            count(*) filter (where gone_at is not null) as gone
          from marts.dim_store
          group by country, store_type
          order by country, count(*) desc, store_type
          limit 100`,
        columns: [
          { name: 'country', heading: 'Country' },
          { name: 'store_type', heading: 'Kind' },
          { name: 'there', heading: 'There', as: 'number' },
          { name: 'gone', heading: 'Gone', as: 'number' },
        ],
      } as Query<{ readonly country: string | null; readonly store_type: string | null }>,
      refreshes: {
        caption: 'Refreshes',
        sql: sql`
          select observed_at, certificate, reasons, circles, stores_seen, stores_new, stores_changed, stores_gone
          from marts.store_refresh
          order by observed_at desc
          limit 10`,
        columns: [
          { name: 'observed_at', heading: 'When', as: 'instant' },
          { name: 'certificate', heading: 'Certificate' },
          { name: 'reasons', heading: 'Why' },
          { name: 'stores_seen', heading: 'Seen', as: 'number' },
          { name: 'stores_new', heading: 'New', as: 'number' },
          { name: 'stores_changed', heading: 'Changed', as: 'number' },
          { name: 'stores_gone', heading: 'Gone', as: 'number' },
        ],
        none: 'There is no refresh yet. Run `pricebook stores --refresh`.',
      } as Query<{ readonly observed_at: Date }>,
    };
  },
  title: (_, { map }) => `${plural(storesIn(map.rows), 'store')} of the shop`,
  lead: (_, { refreshes }) =>
    refreshes.rows[0]
      ? `As the store locator showed them on ${longDate(refreshes.rows[0].observed_at.toISOString())}.`
      : '',
  empty: ({ kinds }) =>
    kinds.rows.length === 0
      ? 'The stores of the shop are here on a map, with those that opened or closed, once its store locator has been ' +
        'read: once a week if one is configured, or now with `pricebook stores --refresh`.'
      : null,
  view: ({ parameters: p, tables: { stores: table, map, kinds, refreshes }, hrefWith }) => {
    const places = map.rows.map(({ latitude, longitude, is_gone }) => ({ latitude, longitude, isGone: is_gone }));
    return (
      <>
        <Filters action="/stores">
          <Field name="words" label="Name, city, county or postal code" value={p.words} type="search" />
          <Choice
            name="country"
            label="Country"
            value={p.country ?? ''}
            options={choices(kinds.rows.map(({ country }) => country))}
          />
          <Choice
            name="type"
            label="Kind"
            value={p.type ?? ''}
            options={choices(kinds.rows.map(({ store_type }) => store_type))}
          />
          <Choice
            name="presence"
            label="Stores that are"
            value={p.presence}
            options={{ there: 'there', gone: 'gone', both: 'there or gone' }}
          />
        </Filters>
        <div class="pair">
          {places.length > 0 && (
            <Card title="Where they are">
              <PointMap
                id="map"
                title={`${number(storesIn(map.rows))} stores on a map`}
                description="Each point is a place with a store, further up is further north. The table names them."
                places={places}
              />
            </Card>
          )}
          <div class="stack">
            <TableCard
              of={kinds}
              cells={{
                store_type: (row) => (
                  <a href={hrefWith({ type: row.store_type, country: row.country, page: null })}>
                    {text(row.store_type ?? 'unknown')}
                  </a>
                ),
              }}
            />
            <TableCard of={filled(refreshes)} />
          </div>
        </div>
        <TableCard of={filled(table)} cells={{ display_name: (row) => text(row.display_name ?? 'without a name') }} />
        <Pager page={p.page} hasMore={table.hasMore} hrefWith={hrefWith} />
      </>
    );
  },
});

const storesIn = (places: readonly { readonly stores: string }[]): number =>
  places.reduce((sum, { stores: count }) => sum + Number(count), 0);

function choices(values: readonly (string | null)[]): Readonly<Record<string, string>> {
  const known = [...new Set(values)].filter((value) => value !== null && value !== '');
  return { '': 'all', ...Object.fromEntries(known.map((value) => [value, text(value)])) };
}
