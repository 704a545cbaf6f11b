import { z } from 'zod';
import { lastCertified } from '../../questions/certified.ts';
import { packChanges } from '../../questions/pack-changes.ts';
import { RegionParameter, Words, wholeNumber } from '../../questions/parameters.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { inAll, PageRows, sql } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, keyElsewhere, productsIn } from '../category-choice.tsx';
import { Change } from '../change.tsx';
import { Bar } from '../charts/spark.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Choice, Field, Filters, Pager, productHref } from '../parts.tsx';
import { lineNights, ProductTable } from '../product-table.tsx';
import { money, nothing, number, percent, plural, shortDate, text, unsnaked } from '../words.ts';
import { packSize, perUnits } from './pack-words.ts';

interface Pack extends ProductLine {
  readonly snapshot_date: string;
  readonly route: string;
  readonly old_size: string;
  readonly new_size: string;
  readonly unit: string;
  readonly size_change_pct: string;
  readonly old_unit_price: string | null;
  readonly new_unit_price: string | null;
  readonly unit_price_effect_pct: string | null;
  readonly former_product_id: string | null;
  /** Null: not sold now. */
  readonly unit_price_now: string | null;
}

interface Kind {
  readonly route: string;
  readonly shrank: string;
  readonly shrank_and_dearer: string;
}

const rowsOfPage = 12;
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
    const all = sql`
            select pack.*, ${unitPriceNow} > pack.old_unit_price as is_dearer_now
            from (${packChanges.sql(filters, { limit: null, among })}) as pack`;
    return {
      changes: {
        caption: 'Pack changes',
        sql: withLine(
          sql`
          select
            pack.product_key, pack.snapshot_date, pack.route, pack.old_size, pack.new_size, pack.unit,
            pack.size_change_pct, pack.old_unit_price, pack.new_unit_price, pack.unit_price_effect_pct,
            pack.former_product_id, pack.evidence, pack.score, ${unitPriceNow} as unit_price_now
          from (${packChanges.sql(
            { ...filters, smaller: p.what === 'shrank', larger: p.what === 'grew' },
            { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage, among },
          )}) as pack`,
          p.region,
          'unit',
        ),
        columns: lineColumns,
        none: 'No pack changes match. A change counts after three complete nights that show it.',
      } as Query<Pack>,
      routes: {
        caption: 'By kind of change',
        sql: sql`
          select
            route, count(*) filter (where new_size < old_size) as shrank,
            count(*) filter (where new_size > old_size) as grew,
            count(*) filter (where new_size < old_size and is_dearer_now) as shrank_and_dearer,
            round(avg(size_change_pct) filter (where new_size < old_size), 2) as average_shrinkage_pct
          from (${all}) as pack
          group by route
          order by route`,
        columns: [
          { name: 'route', heading: 'Kind' },
          { name: 'shrank', heading: 'Shrank', as: 'number' },
          { name: 'grew', heading: 'Grew', as: 'number' },
          { name: 'shrank_and_dearer', heading: 'Dearer per unit now', as: 'number' },
          { name: 'average_shrinkage_pct', heading: 'Average change of shrunken packs', as: 'percent' },
        ],
      } as Query<Kind>,
      brands: {
        caption: 'Brands with the most smaller packs',
        sql: sql`
          select
            -- The spelling of a brand varies.
            mode() within group (order by brand) as brand, count(*) as shrank,
            count(*) filter (where is_dearer_now) as shrank_and_dearer,
            round(avg(size_change_pct), 2) as average_shrinkage_pct
          from (${all}) as pack
          where new_size < old_size
          group by marts.brand_key(brand)
          order by shrank desc, average_shrinkage_pct, min(brand)
          limit 10`,
        columns: [
          { name: 'brand', heading: 'Brand' },
          { name: 'shrank', heading: 'Shrank', as: 'number' },
          { name: 'shrank_and_dearer', heading: 'Dearer per unit now', as: 'number' },
        ],
        none: 'No pack shrank.',
      } as Query<{ readonly brand: string | null }>,
      categories: categoryOptions([p.region], p.category),
      lines: lineNights(p.region),
    };
  },
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    hrefWith({ region, category: keyElsewhere(tables.categories.rows, parameters.category), page: null }),
  title: ({ days }, { routes: { rows } }) => {
    const count = (name: 'shrank' | 'shrank_and_dearer') => rows.reduce((sum, row) => sum + Number(row[name]), 0);
    const shrank = count('shrank');
    if (shrank === 0) return `No pack shrank in ${plural(days, 'day')}`;
    return `${plural(shrank, 'pack')} shrank; ${number(count('shrank_and_dearer'))} cost more per unit now`;
  },
  lead: () =>
    'The line shows the price per unit, the bar what is left of the pack. A change counts after three complete ' +
    'nights that show it.',
  view: ({ parameters: p, tables: { changes, routes: byRoute, brands, categories, lines }, hrefWith }) => (
    <>
      <Chips
        label="Packs that"
        chosen={p.what}
        options={{ shrank: 'Shrank', grew: 'Grew', both: 'Both' }}
        href={(what) => hrefWith({ what, page: null })}
      />
      <Filters action="/shrinkflation" keep={{ region: p.region, what: p.what }}>
        <CategoryChoice options={categories.rows} value={p.category} />
        <Field name="words" label="Title or brand" value={p.words} type="search" />
        <Choice name="route" label="Kind" value={p.route} options={{ any: 'any', ...routes }} />
        <Field name="days" label="Days back, at most" value={p.days} type="number" least={1} most={mostDays} />
        <Choice name="sort" label="Order" value={p.sort} options={orderNames} />
      </Filters>
      <Card title={names[p.what]} aside={orderNames[p.sort]}>
        <ProductTable
          of={changes}
          nights={lines}
          sign={(row) => Number(row.unit_price_effect_pct)}
          below={(row) => (
            <span>
              {shelfPrices(row)}; since {shortDate(row.snapshot_date)}, {routeWords(row.route)}
              {row.former_product_id !== null && (
                <>
                  , before it <a href={productHref(row.region, row.former_product_id)}>{text(row.former_product_id)}</a>
                </>
              )}
            </span>
          )}
          columns={[
            { heading: 'Pack', cell: (row) => <PackBar of={row} /> },
            { heading: 'Per unit now', isPrice: true, cell: (row) => <UnitPrices of={row} /> },
          ]}
        />
        <Pager page={p.page} hasMore={changes.hasMore} hrefWith={hrefWith} />
      </Card>
      <div class="pair">
        <Card title="By kind of change">
          <DataTable of={byRoute} cells={{ route: (row) => routeWords(row.route) }} />
        </Card>
        {p.what !== 'grew' && (
          <Card title="By brand">
            <DataTable
              of={brands}
              cells={{
                brand: ({ brand }) =>
                  brand === null ? 'no brand' : <a href={hrefWith({ words: brand, page: null })}>{text(brand)}</a>,
              }}
            />
          </Card>
        )}
      </div>
    </>
  ),
});

const names = { shrank: 'Packs that shrank', grew: 'Packs that grew', both: 'Packs that changed' } as const;
const orderNames = {
  effect: 'largest rise at the change first',
  size: 'most shrunk first',
  newest: 'newest first',
} as const;

function routeWords(route: string): string {
  return routes[route as keyof typeof routes] ?? unsnaked(route);
}

/** Both sizes, and what is left of the old pack as a bar. */
function PackBar({ of: { old_size, new_size, unit, size_change_pct } }: { of: Pack }) {
  return (
    <>
      {packSize(old_size, unit)} → <b>{packSize(new_size, unit)}</b>
      <Bar share={Math.min(1, Number(new_size) / Number(old_size))} kind="kept" rest="lost" />
      <small>{percent(size_change_pct)}</small>
    </>
  );
}

/** Price of a unit now, against that of the old pack. */
const unitPriceNow = sql`(
              select now.price from marts.product_now now where now.product_key = pack.product_key
            ) / pack.new_size * case pack.unit when 'each' then 1 else 1000 end`;

/** The price of a unit now, before the change, and after it where that differs. */
function UnitPrices({ of: row }: { of: Pack }) {
  const { old_unit_price: old, new_unit_price: after, unit_price_now: now } = row;
  if (now === null) return <small>{`${perUnit(old, row)} → ${perUnit(after, row)}; not sold now`}</small>;
  const change = old === null ? null : (100 * (Number(now) - Number(old))) / Number(old);
  const isOther = after !== null && Math.abs(Number(after) - Number(now)) > 0.00501;
  return (
    <>
      <span class="price">
        {perUnit(now, row)} <Change percent={change} />
      </span>
      <small>
        was {perUnit(old, row)}
        {isOther && `, ${perUnit(after, row)} after the change`}
      </small>
    </>
  );
}

/** Price of the pack before the change and after it, which is not always that of now. */
function shelfPrices(row: Pack): string {
  const before = shelfPrice(row.old_unit_price, row.old_size, row);
  const after = shelfPrice(row.new_unit_price, row.new_size, row);
  return before === after ? `${after} before and after` : `${before} → ${after}`;
}

/** Price of the pack, which is that of its content. */
function shelfPrice(perUnit: string | null, size: string, { unit, currency }: Pack): string {
  if (perUnit === null) return nothing;
  return money(((Number(perUnit) * Number(size)) / (unit === 'each' ? 1 : 1000)).toFixed(2), currency);
}

function perUnit(price: string | null, { unit, currency }: Pack): string {
  return price === null ? nothing : `${money(Number(price).toFixed(2), currency)} / ${perUnits[unit] ?? unit}`;
}
