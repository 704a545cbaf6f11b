import { nightsIn, regions } from '../../base/model/index.ts';
import { searchScript } from '../assets.ts';
import { keyElsewhere } from '../category-choice.tsx';
import { Change } from '../change.tsx';
import { dayOf } from '../charts/days.ts';
import { definePage, type Table } from '../page.ts';
import { type HrefWith, Pager } from '../parts.tsx';
import { type Night, PriceCell, ProductTable, unitPrices } from '../product-table.tsx';
import { number, plural, text } from '../words.ts';
import { Facets, QuickFilters, WithoutOne } from './product-facets.tsx';
import {
  type Facet,
  type Found,
  mostCounted,
  orderOf,
  type orders,
  type Parameters,
  parameters,
  productsQueries,
} from './products-queries.ts';
import { DidYouMean, Named, Tries } from './search-hints.tsx';
import type { NamedCategory } from './search-hints-queries.ts';

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
      <DidYouMean p={p} of={tables.meant.rows} hrefWith={hrefWith} />
      <Tries of={tables.tries.rows} region={p.region} />
      {!isOnlyNamed(p, tables) && (
        <QuickFilters p={p} tables={tables} span={spanOf(tables.nights.rows)} hrefWith={hrefWith} />
      )}
      {!isOnlyNamed(p, tables) && (
        <div class="pair find-page">
          <Facets p={p} tables={tables} hrefWith={hrefWith} />
          <section class="card">
            <WithoutOne p={p} tables={tables} hrefWith={hrefWith} />
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
  if (moved === undefined && span < nightsIn.month) return [];
  const cell = (row: Found) =>
    row.unit_change_30_pct == null ? (
      <Change percent={row.moved_pct ?? row.change_30_pct} />
    ) : (
      <>
        <Change percent={row.unit_change_30_pct} />
        <small>per unit</small>
      </>
    );
  return [{ heading: `${span} nights`, cell }];
}

/** Nights that a price is compared over: in a young book, all that it has. */
function spanOf(nights: readonly Night[]): number {
  if (nights.length === 0) return 0;
  return Math.min(nightsIn.month, dayOf(nights.at(-1)!.snapshot_date) - dayOf(nights[0]!.snapshot_date));
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
