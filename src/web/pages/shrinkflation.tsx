import { z } from 'zod';
import { lastCertified } from '../../questions/certified.ts';
import { packChanges } from '../../questions/pack-changes.ts';
import { RegionParameter, Words, wholeNumber } from '../../questions/parameters.ts';
import { columnsOf } from '../../questions/question.ts';
import { inAll, PageRows, sql } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, productsIn } from '../category-choice.tsx';
import { DataTable } from '../data-table.tsx';
import { direction } from '../direction.ts';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Choice, Field, Pager, productHref } from '../parts.tsx';
import { money, nothing, number, text, unsnaked } from '../words.ts';

interface Change {
  readonly region: string;
  readonly product_id: string;
  readonly title: string;
  readonly route: string;
  readonly old_size: string;
  readonly new_size: string;
  readonly unit: string;
  readonly size_change_pct: string;
  readonly old_unit_price: string | null;
  readonly new_unit_price: string | null;
  readonly currency: string;
  readonly unit_price_effect_pct: string | null;
  readonly former_product_id: string | null;
}

const rowsOfPage = 50;
const routes = { in_place: 'same product', new_gtin: 'new barcode', relaunch: 'relaunched' } as const;
const mostDays = 3660;

export const shrinkflation = definePage({
  path: '/shrinkflation',
  nav: 'Shrinkflation',
  about: 'Changes of pack sizes and their effect on the price per kilogram, litre or piece.',
  parameters: {
    region: RegionParameter,
    what: z.enum(['shrank', 'grew', 'both']).default('shrank'),
    route: z.enum(['any', 'in_place', 'new_gtin', 'relaunch']).default('any').meta({ description: 'Kind of change' }),
    days: wholeNumber(1, mostDays).default(366).meta({ description: 'Days up to the last certified night' }),
    category: CategoryParameter,
    words: Words,
    sort: z.enum(['effect', 'size', 'newest']).default('effect'),
    page: PageNumber,
  },
  queries: (p) => {
    const last = lastCertified(p.region);
    const chosen = inAll(
      productsIn(p.category),
      p.words && sql`select product_key from marts.find_products(${p.region}, ${p.words})`,
    );
    const among = chosen && sql`(${chosen})`;
    const filters = {
      region: p.region,
      since: sql`${last} - ${p.days - 1}::int`,
      until: last,
      smaller: false,
      larger: false,
      route: p.route === 'any' ? undefined : p.route,
      sort: p.sort,
    } as const;
    const all = packChanges.sql(filters, { limit: null, among });
    return {
      changes: {
        caption: 'Pack changes',
        sql: packChanges.sql(
          { ...filters, smaller: p.what === 'shrank', larger: p.what === 'grew' },
          { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage, among },
        ),
        columns: columnsOf(
          packChanges,
          ...['title', 'brand', 'snapshot_date', 'old_size', 'new_size', 'size_change_pct', 'old_unit_price'],
          ...['new_unit_price', 'unit_price_effect_pct', 'route', 'evidence', 'score'],
        ),
        none: 'No pack changes match. A change counts after three certified nights that show it.',
      } as Query<Change>,
      routes: {
        caption: 'By kind of change',
        sql: sql`
          select
            route, count(*) filter (where new_size < old_size) as shrank,
            count(*) filter (where new_size > old_size) as grew,
            count(*) filter (where new_size < old_size and unit_price_effect_pct > 0) as shrank_and_dearer,
            round(avg(size_change_pct) filter (where new_size < old_size), 2) as average_shrinkage_pct
          from (${all}) as pack
          group by route
          order by route`,
        columns: [
          { name: 'route', heading: 'Kind' },
          { name: 'shrank', heading: 'Shrank', as: 'number' },
          { name: 'grew', heading: 'Grew', as: 'number' },
          { name: 'shrank_and_dearer', heading: 'Shrank, and dearer per unit', as: 'number' },
          { name: 'average_shrinkage_pct', heading: 'Average change of shrunken packs', as: 'percent' },
        ],
      } as Query<{ readonly route: string }>,
      brands: {
        caption: 'Brands with the most smaller packs',
        sql: sql`
          select
            -- The spelling of a brand varies.
            min(brand) as brand, count(*) as shrank,
            count(*) filter (where unit_price_effect_pct > 0) as shrank_and_dearer,
            round(avg(size_change_pct), 2) as average_shrinkage_pct
          from (${all}) as pack
          where new_size < old_size
          group by marts.brand_key(brand)
          order by shrank desc, average_shrinkage_pct, min(brand)
          limit 20`,
        columns: [
          { name: 'brand', heading: 'Brand' },
          { name: 'shrank', heading: 'Shrank', as: 'number' },
          { name: 'shrank_and_dearer', heading: 'Of these, dearer per unit', as: 'number' },
          { name: 'average_shrinkage_pct', heading: 'Average change', as: 'percent' },
        ],
        none: 'No pack shrank.',
      } as Query<{ readonly brand: string | null }>,
      categories: categoryOptions(p.region, p.category),
    };
  },
  title: ({ region }) => `Shrinkflation, ${region}`,
  view: ({ parameters: p, tables: { changes, routes: byRoute, brands, categories }, hrefWith }) => (
    <>
      <form class="filters" action="/shrinkflation" autocomplete="off">
        <Choice name="region" label="Region" value={p.region} options={{ uk: 'United Kingdom', ie: 'Ireland' }} />
        <Choice
          name="what"
          label="Packs that"
          value={p.what}
          options={{ shrank: 'shrank', grew: 'grew', both: 'shrank or grew' }}
        />
        <Choice name="route" label="Kind" value={p.route} options={{ any: 'any', ...routes }} />
        <Field name="days" label="Days" value={p.days} type="number" least={1} most={mostDays} />
        <CategoryChoice options={categories.rows} value={p.category} />
        <Field name="words" label="Title or brand" value={p.words} type="search" />
        <Choice
          name="sort"
          label="Order"
          value={p.sort}
          options={{ effect: 'dearest effect first', size: 'most shrunk first', newest: 'newest first' }}
        />
        <button type="submit">Show</button>
      </form>
      <DataTable of={byRoute} cells={{ route: (row) => routeWords(row.route) }} />
      {p.what !== 'grew' && (
        <DataTable
          of={brands}
          cells={{
            brand: ({ brand }) =>
              brand === null ? 'no brand' : <a href={hrefWith({ words: brand, page: null })}>{text(brand)}</a>,
          }}
        />
      )}
      <DataTable
        of={changes}
        cells={{
          title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
          old_size: (row) => size(row.old_size, row.unit),
          new_size: (row) => size(row.new_size, row.unit),
          size_change_pct: (row) => direction(row.size_change_pct),
          unit_price_effect_pct: (row) => direction(row.unit_price_effect_pct),
          old_unit_price: (row) => perUnit(row.old_unit_price, row),
          new_unit_price: (row) => perUnit(row.new_unit_price, row),
          route: (row) =>
            row.former_product_id === null ? (
              routeWords(row.route)
            ) : (
              <>
                {routeWords(row.route)}, before it{' '}
                <a href={productHref(row.region, row.former_product_id)}>{text(row.former_product_id)}</a>
              </>
            ),
        }}
      />
      <Pager page={p.page} hasMore={changes.hasMore} hrefWith={hrefWith} />
    </>
  ),
});

function routeWords(route: string): string {
  return routes[route as keyof typeof routes] ?? unsnaked(route);
}

function size(amount: string, unit: string): string {
  return unit === 'each' ? `${number(amount)} pieces` : `${number(amount)} ${unit}`;
}

const perUnits: Readonly<Record<string, string>> = { g: 'kg', ml: 'litre', each: 'piece' };

function perUnit(price: string | null, { unit, currency }: Change): string {
  return price === null ? nothing : `${money(price, currency)} per ${perUnits[unit] ?? unit}`;
}
