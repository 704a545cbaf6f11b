import { z } from 'zod';
import type { RegionCode } from '../../base/model/index.ts';
import { lastDerived } from '../../questions/certified.ts';
import { readWanted } from '../../questions/find-products.ts';
import { amount, RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { fields } from '../../questions/question.ts';
import { allOf, PageRows, type Sql, sql } from '../../questions/sql.ts';
import { searchScript } from '../assets.ts';
import { type CategoryOption, CategoryParameter, productsIn } from '../category-choice.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Choice, Field, Pager, productHref, unitPrice } from '../parts.tsx';
import { nothing, number, text, unsnaked } from '../words.ts';

interface Product {
  readonly region: string;
  readonly product_id: string;
  readonly title: string;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly availability: string;
}

interface Category {
  readonly category_key: number;
  readonly name: string;
  readonly products_listed: number | null;
}

const rowsOfPage = 50;

const availabilities = {
  listed: sql`n.availability in ('available', 'unavailable')`,
  available: sql`n.availability = 'available'`,
  unavailable: sql`n.availability = 'unavailable'`,
  gone: sql`n.availability in ('absent', 'delisted')`,
  any: null,
} as const;

const offers = {
  any: null,
  promotion: sql`n.on_promotion`,
  loyalty: sql`n.loyalty_price is not null`,
  none: sql`not n.on_promotion`,
} as const;

/** Every order is backed by an index, so that the cost of a page does not depend on the number of products. */
const orders = {
  best: { by: sql`found.relevance desc, length(n.title), n.title, n.product_key`, holds: null },
  number: { by: sql`n.region, n.product_id`, holds: null },
  newest: { by: sql`n.product_key desc`, holds: null },
  title: { by: sql`n.title, n.product_key`, holds: null },
  cheapest: { by: sql`n.price nulls last, n.product_key`, holds: null },
  // Products without a price are excluded: listing them last would need another index.
  dearest: { by: sql`n.price desc, n.product_key`, holds: sql`n.price is not null` },
  'cheapest-unit': { by: sql`n.unit_price nulls last, n.product_key`, holds: null },
  'dearest-unit': { by: sql`n.unit_price desc, n.product_key`, holds: sql`n.unit_price is not null` },
} as const;

const orderNames: Readonly<Record<keyof typeof orders, string>> = {
  best: 'best match first',
  number: 'by product number',
  newest: 'newest first',
  title: 'by title',
  cheapest: 'price, cheapest first',
  dearest: 'price, dearest first',
  'cheapest-unit': 'unit price, cheapest first',
  'dearest-unit': 'unit price, dearest first',
};

const names = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as [Key, ...Key[]];

export const products = definePage({
  path: '/products',
  nav: 'Products',
  about: 'All products as of the last night, with search and filters.',
  script: searchScript,
  parameters: {
    q: textUpTo(2_000, 2).meta({
      description: 'Words of the title or brand, a barcode, an id, or the address of a product',
    }),
    region: RegionParameter,
    category: CategoryParameter,
    availability: z.enum(names(availabilities)).default('listed'),
    offer: z.enum(names(offers)).default('any'),
    price_from: amount(),
    price_to: amount(),
    unit: z.enum(['kg', 'litre', 'each']).optional(),
    unit_price_from: amount(),
    unit_price_to: amount(),
    sort: z.enum(names(orders)).optional().meta({
      description: 'Order; by default the best match, without words the number or, within a category, the newest',
    }),
    page: PageNumber,
  },
  queries: (p) => {
    const wanted = p.q === undefined ? null : readWanted(p.q, p.region);
    const region = wanted?.region ?? p.region;
    // The address of a product of the other region overrides the category, which belongs to this region.
    const category = region === p.region ? p.category : undefined;
    const order = orders[orderOf(p, category)];
    return {
      products: {
        caption: 'Products',
        sql: sql`
          select
            n.region, n.product_id, n.title, n.brand, n.price, n.loyalty_price, n.unit_price, n.unit_of_measure,
            n.availability, n.on_promotion, n.currency, n.gtin
          from marts.product_now n ${amongThose(category)}
          ${wanted ? sql`join ${wanted.found} as found using (product_key)` : sql``}
          where n.region = ${region} and ${allOf(
            availabilities[p.availability],
            offers[p.offer],
            order.holds,
            p.price_from !== undefined && sql`n.price >= ${p.price_from}`,
            p.price_to !== undefined && sql`n.price <= ${p.price_to}`,
            p.unit !== undefined && sql`n.unit_of_measure = ${p.unit}`,
            p.unit_price_from !== undefined && sql`n.unit_price >= ${p.unit_price_from}`,
            p.unit_price_to !== undefined && sql`n.unit_price <= ${p.unit_price_to}`,
          )}
          order by ${order.by}
          limit ${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}`,
        columns: [
          ...fields('title', 'brand', 'price', 'unit_price', 'loyalty_price'),
          { name: 'on_promotion', heading: 'Promotion', as: 'yes-no' },
          { name: 'availability', heading: 'Availability' },
        ],
        none: 'No products match.',
      } as Query<Product>,
      categories: {
        caption: category === undefined ? 'Departments' : 'Categories within it',
        sql: sql`
          select c.category_key, c.name, c.path, d.products_listed
          from marts.dim_category c
          left join marts.fct_category_daily d
            on d.region = c.region and d.category_key = c.category_key
            and d.snapshot_date = ${lastDerived(region)}
          where c.region = ${region} and c.gone_at is null
            and c.parent_key is not distinct from ${category ?? null}::int
          order by c.name`,
        columns: [
          { name: 'name', heading: 'Category' },
          { name: 'products_listed', heading: 'Listed', as: 'number' },
        ],
        none: 'There are no subcategories.',
      } as Query<Category>,
      trail: {
        caption: 'Path of the category',
        sql: sql`
          with recursive above as (
            select category_key, parent_key, name, depth
            from marts.dim_category
            where category_key = ${category ?? null}::int
            union all
            select c.category_key, c.parent_key, c.name, c.depth
            from marts.dim_category c join above on above.parent_key = c.category_key
          )
          select category_key, name, depth from above order by depth`,
        columns: [{ name: 'name', heading: 'Category' }],
        none: 'No category is chosen.',
      } as Query<Category>,
      named: {
        caption: 'Categories of that name',
        sql: sql`
          select c.category_key, c.path
          from marts.dim_category c
          where c.region = ${region} and c.gone_at is null and ${p.q === undefined ? sql`false` : hasInItsName(p.q)}
          order by c.depth, c.path
          limit 12`,
        columns: [{ name: 'path', heading: 'Category' }],
        none: 'No category has these words in its name.',
      } as Query<CategoryOption>,
    };
  },
  title: ({ q }) => (q === undefined ? 'Products' : `Products: ${text(q)}`),
  view: ({ parameters: p, tables, hrefWith }) => (
    <>
      <form class="filters" action="/products" autocomplete="off">
        <Field name="q" label="Words, brand, barcode, id or address" value={p.q} type="search" />
        <Choice name="region" label="Region" value={p.region} options={{ uk: 'United Kingdom', ie: 'Ireland' }} />
        {p.category !== undefined && <input type="hidden" name="category" value={p.category} />}
        <Choice
          name="availability"
          label="Availability"
          value={p.availability}
          options={{
            listed: 'listed',
            available: 'for sale',
            unavailable: 'listed, not for sale',
            gone: 'gone',
            any: 'any',
          }}
        />
        <Choice
          name="offer"
          label="Promotion"
          value={p.offer}
          options={{ any: 'any', promotion: 'on promotion', loyalty: 'price for members', none: 'none' }}
        />
        <Field name="price_from" label="Price from" value={p.price_from} type="number" />
        <Field name="price_to" label="Price to" value={p.price_to} type="number" />
        <Choice
          name="unit"
          label="Unit"
          value={p.unit ?? ''}
          options={{ '': 'any', kg: 'kilogram', litre: 'litre', each: 'each' }}
        />
        <Field name="unit_price_from" label="Per unit from" value={p.unit_price_from} type="number" />
        <Field name="unit_price_to" label="Per unit to" value={p.unit_price_to} type="number" />
        <Choice name="sort" label="Order" value={orderOf(p, p.category)} options={orderNames} />
        <button type="submit">Show</button>
      </form>
      <Categories trail={tables.trail.rows} below={tables.categories.rows} hrefWith={hrefWith} />
      {p.category !== undefined && <Elsewhere region={p.region} category={p.category} />}
      <Named categories={tables.named.rows} hrefWith={hrefWith} />
      {p.q !== undefined && <WithoutMarkup words={readWanted(p.q, p.region).withoutMarkup} />}
      <DataTable
        of={tables.products}
        cells={{
          title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
          unit_price: (row) => unitPrice(row),
          availability: (row) => unsnaked(row.availability),
        }}
      />
      <Pager page={p.page} hasMore={tables.products.hasMore} hrefWith={hrefWith} />
    </>
  ),
});

/** Offers matching categories, because titles and brands do not contain category names. */
function hasInItsName(words: string): Sql {
  return sql`not exists (
            select from regexp_split_to_table(lower(${words}), '\\s+') as word
            where position(word in lower(c.name)) = 0)`;
}

/**
 * Without words nothing is a better match. A category has its keys in the order of an index; by number, all of a
 * department would be read and sorted.
 */
function orderOf(
  { q, sort }: { readonly q?: string | undefined; readonly sort?: keyof typeof orders | undefined },
  category: number | undefined,
): keyof typeof orders {
  if (sort !== undefined && (sort !== 'best' || q !== undefined)) return sort;
  if (q !== undefined) return 'best';
  return category === undefined ? 'number' : 'newest';
}

function WithoutMarkup({ words }: { words: string | null }) {
  return words === null ? null : <p>Markup is ignored. Searched for: {text(words)}.</p>;
}

/** A join, because the planner estimates 200 rows for `in (select …)` with any category. */
function amongThose(category: number | undefined): Sql {
  const products = productsIn(category);
  return products === null ? sql`` : sql`join ${products} as chosen using (product_key)`;
}

/** Links to other pages about the category. */
function Elsewhere({ region, category }: { region: RegionCode; category: number }) {
  const of = `region=${region}&category=${category}`;
  return (
    <nav aria-label="Of this category">
      <ul>
        <li>
          <a href={`/movers?${of}&period=month`}>Dearer and cheaper this month</a>
        </li>
        <li>
          <a href={`/promotions?${of}`}>Promotions</a>
        </li>
        <li>
          <a href={`/index?a=${category}`}>Price index</a>
        </li>
        <li>
          <a href={`/shrinkflation?${of}`}>Shrinkflation</a>
        </li>
      </ul>
    </nav>
  );
}

function Named(props: {
  categories: readonly CategoryOption[];
  hrefWith(changes: Readonly<Record<string, string | number | null>>): string;
}) {
  const { categories, hrefWith } = props;
  if (categories.length === 0) return null;
  return (
    <nav aria-label="Categories of that name">
      <p class="caption">Categories of that name</p>
      <ul>
        {categories.map(({ category_key, path }) => (
          <li key={category_key}>
            <a href={hrefWith({ category: category_key, q: null, sort: null, page: null })}>{text(path)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Categories(props: {
  trail: readonly Category[];
  below: readonly Category[];
  hrefWith(changes: Readonly<Record<string, string | number | null>>): string;
}) {
  const { trail, below, hrefWith } = props;
  if (trail.length === 0 && below.length === 0) return null;
  const to = (category: number | null) => hrefWith({ category, page: null });
  return (
    <nav aria-label="Categories">
      {trail.length > 0 && (
        <ul>
          <li>
            <a href={to(null)}>All departments</a>
          </li>
          {trail.map(({ category_key, name }, i) => (
            <li key={category_key}>
              {i === trail.length - 1 ? <strong>{text(name)}</strong> : <a href={to(category_key)}>{text(name)}</a>}
            </li>
          ))}
        </ul>
      )}
      {below.length > 0 && (
        <details open={below.length <= 30}>
          <summary>{trail.length === 0 ? 'Departments' : 'Within it'}</summary>
          <ul>
            {below.map(({ category_key, name, products_listed }) => (
              <li key={category_key}>
                <a href={to(category_key)}>{text(name)}</a>{' '}
                <span class="about">{products_listed === null ? nothing : number(products_listed)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}
