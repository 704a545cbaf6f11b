import { type RegionCode, regions } from '../../base/model/index.ts';
import { searchScript } from '../assets.ts';
import { type Category, CategoryLinks, keyElsewhere } from '../category-choice.tsx';
import { Change } from '../change.tsx';
import { dayOf } from '../charts/days.ts';
import { definePage, type Table } from '../page.ts';
import { Choice, Field, type HrefWith, Pager } from '../parts.tsx';
import { type Night, PriceCell, ProductTable, unitPrices } from '../product-table.tsx';
import { number, plural, text } from '../words.ts';
import {
  type Facet,
  type Found,
  mostCounted,
  mostNightsMoved,
  type NamedCategory,
  orderNames,
  orderOf,
  type orders,
  type Parameters,
  parameters,
  productsQueries,
  type Try,
} from './products-queries.ts';

export const products = definePage({
  path: '/products',
  nav: 'Find',
  about: 'Products as of the last night, with search, filters and counts.',
  script: searchScript,
  parameters,
  queries: productsQueries,
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    hrefWith({
      region,
      category: keyElsewhere(tables.trail.rows, parameters.category),
      instead_of: null,
      page: null,
    }),
  title: (p, { facets, trail, named }) => {
    const { q } = p;
    const total = countOf(facets.rows, 'total');
    if (isOnlyNamed(p, { facets, named })) {
      const { matches } = named.rows[0]!;
      const categories = matches === 1 ? '1 category matches' : `${number(matches)} categories match`;
      return `No product has these words in its title; ${categories}`;
    }
    const counted = total > mostCounted ? `More than ${number(mostCounted)} products` : plural(total, 'product');
    const name = trail.rows.at(-1)?.name;
    if (p.instead_of !== undefined && name !== undefined)
      return `Not sold in ${regions[p.region].name}; nearest: ${counted} in ${text(name)}`;
    return `${counted}${q === undefined ? '' : ` for “${text(q)}”`}${name === undefined ? '' : ` in ${text(name)}`}`;
  },
  lead: ({ instead_of, region }) =>
    instead_of === undefined ? '' : `${text(instead_of)} has no counterpart in ${regions[region].name}.`,
  view: ({ parameters: p, tables, hrefWith }) => (
    <>
      <Named categories={tables.named.rows} hrefWith={hrefWith} />
      <Tries of={tables.tries.rows} region={p.region} />
      {!isOnlyNamed(p, tables) && (
        <QuickFilters p={p} facets={tables.facets.rows} span={spanOf(tables.nights.rows)} hrefWith={hrefWith} />
      )}
      {!isOnlyNamed(p, tables) && (
        <div class="pair find-page">
          <Facets p={p} tables={tables} hrefWith={hrefWith} />
          <section class="card">
            <ProductTable<Found>
              of={tables.products}
              nights={tables.nights}
              sign={(row) => Number(row.moved_pct ?? row.change_30_pct)}
              columns={[
                ...changeColumn(p, spanOf(tables.nights.rows)),
                { heading: 'Per unit', cell: unitPrices, sort: sortBy(p, hrefWith, 'cheapest-unit', 'dearest-unit') },
                {
                  heading: 'Price',
                  isPrice: true,
                  cell: (row) => <PriceCell of={row} />,
                  sort: sortBy(p, hrefWith, 'cheapest', 'dearest'),
                },
              ]}
            />
            <Pager page={p.page} hasMore={tables.products.hasMore} hrefWith={hrefWith} />
          </section>
        </div>
      )}
    </>
  ),
});

/** Change of the price in the nights that the filter covers; without it, only a whole month is shown. */
function changeColumn({ moved }: Parameters, span: number) {
  if (moved === undefined && span < mostNightsMoved) return [];
  const cell = (row: Found) => <Change percent={row.moved_pct ?? row.change_30_pct} />;
  return [{ heading: `${span} nights`, cell }];
}

/** Nights that a price is compared over: in a young book, all that it has. */
function spanOf(nights: readonly Night[]): number {
  if (nights.length === 0) return 0;
  return Math.min(mostNightsMoved, dayOf(nights.at(-1)!.snapshot_date) - dayOf(nights[0]!.snapshot_date));
}

/** Whether no product has the words, whatever the filters, but names of categories do. */
function isOnlyNamed(p: Parameters, of: { readonly facets: Table<Facet>; readonly named: Table<NamedCategory> }) {
  const { q: _q, region: _region, sort: _sort, page: _page, availability, offer, ...filters } = p;
  const isFiltered =
    availability !== 'listed' || offer !== 'any' || Object.values(filters).some((value) => value !== undefined);
  return !isFiltered && of.named.rows.length > 0 && countOf(of.facets.rows, 'total') === 0;
}

function countOf(facets: readonly Facet[], name: string): number {
  return Number(facets.find(({ facet }) => facet === name)?.products ?? 0);
}

/** Sorts a column upwards or, if it is sorted upwards, downwards. */
function sortBy(p: Parameters, hrefWith: HrefWith, up: keyof typeof orders, down: keyof typeof orders) {
  const sort = orderOf(p, p.category);
  return {
    href: hrefWith({ sort: sort === up ? down : up, page: null }),
    now: sort === up ? ('ascending' as const) : sort === down ? ('descending' as const) : undefined,
  };
}

/** The most frequent filters, each one click. */
function QuickFilters(props: { p: Parameters; facets: readonly Facet[]; span: number; hrefWith: HrefWith }) {
  const { p, facets, span, hrefWith } = props;
  const inSpan = `in ${plural(span, 'night')}`;
  const chips = [
    { name: 'On offer', facet: 'offer', parameter: 'offer', value: 'promotion' },
    { name: 'Members’ price', facet: 'members', parameter: 'offer', value: 'loyalty' },
    { name: `Dearer ${inSpan}`, facet: 'dearer', parameter: 'moved', value: 'dearer' },
    { name: `Cheaper ${inSpan}`, facet: 'cheaper', parameter: 'moved', value: 'cheaper' },
    { name: 'Out of stock', facet: 'out', parameter: 'availability', value: 'unavailable' },
  ] as const;
  const isPlain = chips.every(({ parameter, value }) => p[parameter] !== value);
  return (
    <nav class="chips" aria-label="Quick filters">
      <a
        class="chip"
        href={hrefWith({ offer: null, moved: null, availability: null, page: null })}
        aria-current={isPlain ? 'true' : undefined}
      >
        All
      </a>
      {chips.map(({ name, facet, parameter, value }) => {
        const isChosen = p[parameter] === value;
        const count = facets.find((row) => row.facet === facet)?.products ?? null;
        return (
          <a
            key={name}
            class="chip"
            href={hrefWith({ [parameter]: isChosen ? null : value, page: null })}
            aria-current={isChosen ? 'true' : undefined}
          >
            {name} {count !== null && number(count)}
          </a>
        );
      })}
    </nav>
  );
}

/** Categories, brands and prices with counts; they fold on a phone. */
function Facets(props: {
  p: Parameters;
  tables: { readonly facets: Table<Facet>; readonly trail: Table<Category> };
  hrefWith: HrefWith;
}) {
  const { p, tables, hrefWith } = props;
  const { trail } = { trail: tables.trail.rows };
  const rows = (name: string) => tables.facets.rows.filter(({ facet }) => facet === name);
  const to = (category: number | string | null) => hrefWith({ category, page: null });
  return (
    <details class="facets">
      <summary>Category, brand and price</summary>
      <nav class="facet" aria-label="Categories">
        <h2>Category</h2>
        <ul>
          {trail.length > 0 && (
            <li>
              <a href={to(null)}>All departments</a>
            </li>
          )}
          {trail.map(({ category_key, name }, i) => (
            <li key={category_key}>
              {i === trail.length - 1 ? <strong>{text(name)}</strong> : <a href={to(category_key)}>{text(name)}</a>}
            </li>
          ))}
          {rows('category')
            .filter(({ products: count }) => count === null || Number(count) > 0)
            .map(({ key, label, products: count }) => (
              <li key={key} class={trail.length > 0 ? 'below' : undefined}>
                <a href={to(key)}>{text(label)}</a> {count !== null && <span class="about">{number(count)}</span>}
              </li>
            ))}
        </ul>
        {p.category !== undefined && <CategoryLinks region={p.region} category={p.category} but="/products" />}
      </nav>
      {rows('brand').length > 0 && (
        <nav class="facet" aria-label="Brands">
          <h2>Brand</h2>
          <ul>
            {rows('brand').map(({ key, label, products: count }) => (
              <li key={key}>
                <a
                  href={hrefWith({ brand: p.brand === key ? null : key, page: null })}
                  aria-current={p.brand === key ? 'true' : undefined}
                >
                  {text(label)}
                </a>{' '}
                <span class="about">{number(count)}</span>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <form class="filters facet" action="/products" autocomplete="off">
        {(['q', 'region', 'category', 'brand', 'offer', 'moved', 'availability'] as const).map(
          (name) => p[name] !== undefined && <input key={name} type="hidden" name={name} value={p[name]} />,
        )}
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
        <button type="submit">Apply</button>
      </form>
    </details>
  );
}

/** Searches that find something where the words together find nothing. */
function Tries({ of: tries, region }: { of: readonly Try[]; region: RegionCode }) {
  if (tries.length === 0) return null;
  return (
    <nav class="chips" aria-label="Simpler searches">
      <span class="quiet">Nothing has all the words. Try</span>
      {tries.map(({ words, products: found }) => (
        <a key={words} class="chip" href={`/products?q=${encodeURIComponent(words)}&region=${region}`}>
          {`${text(words)} ${number(found)}`}
        </a>
      ))}
    </nav>
  );
}

function Named({ categories, hrefWith }: { categories: readonly NamedCategory[]; hrefWith: HrefWith }) {
  if (categories.length === 0) return null;
  return (
    <nav class="chips" aria-label="Categories of that name">
      <span class="quiet">Categories</span>
      {categories.map(({ category_key, path }) => (
        <a key={category_key} class="chip" href={hrefWith({ category: category_key, q: null, sort: null, page: null })}>
          {text(path.split(' > ').slice(-2).join(' › '))}
        </a>
      ))}
    </nav>
  );
}
