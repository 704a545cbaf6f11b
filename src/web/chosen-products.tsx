import type { JSX } from 'preact';
import { z } from 'zod';
import { type RegionCode, regions } from '../base/model/index.ts';
import { bestFirst, readWanted } from '../questions/find-products.ts';
import { textUpTo } from '../questions/parameters.ts';
import { lineColumns, type ProductLine, withLine } from '../questions/product-line.ts';
import { sql } from '../questions/sql.ts';
import type { Query, Table } from './page.ts';
import { repeatable } from './parameters.ts';
import { Card } from './parts.tsx';
import { type Night, PriceCell, ProductTable, type RowForm, unitPrice } from './product-table.tsx';
import { text } from './words.ts';

/** Products of the rows ticked in a list. */
export const ProductsParameter = z
  .string()
  .regex(/^(uk|ie):[\w-]+(,(uk|ie):[\w-]+)*$/, 'must be products such as uk:1042,ie:1077')
  .optional()
  .meta({ description: 'Products with their regions, such as uk:1042,ie:1077; may be repeated' })
  .register(repeatable);

export const FindParameter = textUpTo(2_000, 2).meta({
  description: 'Words of products to add; several searches are separated by commas',
});

export interface Chosen {
  readonly region: RegionCode;
  readonly id: string;
}

/** The products in their order, each once. */
export function chosenIn(products: string | undefined): Chosen[] {
  return [...new Set(products?.split(','))].map((product) => {
    const [region, id] = product.split(':') as [RegionCode, string];
    return { region, id };
  });
}

const mostSearches = 12;
const mostRows = 12;

/** Searches of a text such as `milk, bread`. */
const searchesIn = (words: string): string[] =>
  [...new Set(words.split(',').map((search) => search.trim()))]
    .filter((search) => search.length > 1)
    .slice(0, mostSearches);

export interface Found extends ProductLine {
  /** What the product was found by. */
  readonly search: string;
  /** Whether the other region sells it, too. */
  readonly is_in_both: boolean;
}

/** Pattern of titles that end with the words, apart from the size: `Whole Milk 568ml` ends with milk. */
const endingWith = (words: string) => `\\m${words.replace(/[^\p{L}\p{N} ]/gu, '.')}(s|es)?([ ,]+[\\d(].*)?$`;

/** The best products of each search, to be added to a page. */
export function foundQuery(words: string | undefined, region: RegionCode): Query<Found> {
  const searches = words === undefined ? [] : searchesIn(words);
  const rowsOfEach = Math.max(2, Math.min(6, Math.floor(mostRows / searches.length)));
  const rows = searches.map(
    (search, place) => sql`(
            select n.product_key, ${search}::text as search, ${place}::int as place,
              row_number() over (
                order by n.availability = 'unavailable',
                  n.title !~* ${endingWith(search)} and n.product_key not in (
                    select member.product_key from marts.dim_category shelf
                    join marts.product_category_now member on member.category_key = shelf.category_key
                    where shelf.region = ${region} and shelf.depth > 1 and shelf.name ~* ${endingWith(search)}),
                  ${bestFirst}) as nth
            from ${readWanted(search, region).found} as found
            join marts.product_now n using (product_key)
            where n.availability in ('available', 'unavailable')
            order by nth
            limit ${rowsOfEach}
          )`,
  );
  const none = sql`(select null::int as product_key, null::text as search, 0 as place, 0 as nth where false)`;
  return {
    caption: 'Products to add',
    sql: withLine(
      sql`
          select product_key, search,
            exists (
              select from marts.region_match m
              where found.product_key = case when ${region} = 'uk' then m.uk_product_key else m.ie_product_key end
            ) as is_in_both
          from (${rows.reduce((all, one) => sql`${all} union all ${one}`, none)}
          ) as found
          order by place, nth`,
      region,
    ),
    columns: lineColumns,
    none: 'No products match. Try fewer words.',
  };
}

/** Column of links that remove a product from what is chosen. */
export const removeColumn = <Row extends ProductLine>(href: (row: Row) => string) => ({
  heading: 'Remove',
  cell: (row: Row) => (
    <a href={href(row)} aria-label={`Remove ${text(row.title)}`}>
      Remove
    </a>
  ),
});

interface AddProductsProps {
  readonly of: Table<Found>;
  readonly nights: Table<Night>;
  readonly words: string | undefined;
  readonly action: string;
  /** Parameters that hold what is chosen already. */
  readonly keep: RowForm['keep'];
  isChosen(row: Found): boolean;
  /** Number of products that were just added: the list folds. */
  readonly added?: number | undefined;
}

/** Search for products, which the page then adds to its own; the search stays open. */
export function AddProducts({
  of: found,
  nights,
  words,
  action,
  keep,
  isChosen,
  added,
}: AddProductsProps): JSX.Element {
  const given = Object.entries(keep).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const searches = searchesIn(words ?? '');
  const vain = searches.filter((search) => !found.rows.some((row) => row.search === search));
  const best = new Set(searches.map((search) => found.rows.find((row) => row.search === search)));
  const elsewhere = regions[found.rows[0]?.region === 'ie' ? 'uk' : 'ie'].name;
  const list = words !== undefined && (
    <ProductTable
      of={found}
      nights={nights}
      form={{
        action: `${action}#add`,
        keep: { ...keep, find: words },
        label: 'Add those ticked',
        hasTicks: true,
        isTicked: (row) => searches.length > 1 && best.has(row as Found) && !isChosen(row as Found),
      }}
      columns={[
        ...(searches.length > 1 ? [{ heading: 'Search', cell: (row: Found) => text(row.search) }] : []),
        {
          heading: `Also in ${elsewhere}`,
          isNamed: true,
          cell: (row) => (row.is_in_both ? 'yes' : <span class="quiet">no</span>),
        },
        { heading: 'Per unit', cell: unitPrice },
        { heading: 'Price', isPrice: true, cell: (row) => <PriceCell of={row} /> },
        {
          heading: 'Add',
          cell: (row) =>
            isChosen(row) ? (
              <span class="good">✓ added</span>
            ) : (
              <button
                type="submit"
                name="p"
                value={`${row.region}:${row.product_id}`}
                aria-label={`Add ${text(row.title)}`}
              >
                Add
              </button>
            ),
        },
      ]}
    />
  );
  return (
    <Card id="add" title="Add products" aside="Several at once: separate them by commas">
      <search>
        <form class="filters" action={`${action}#add`} autocomplete="off">
          {given.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input
            type="search"
            name="find"
            value={words ?? ''}
            placeholder="milk, bread, eggs"
            aria-label="Words of products to add"
          />
          <button type="submit">Search</button>
          {words !== undefined && (
            <a href={`${action}?${new URLSearchParams([...given.map(([...one]) => one)])}`}>Done</a>
          )}
        </form>
      </search>
      {vain.length > 0 && found.rows.length > 0 && <p class="note">{`No products match ${vain.join(', ')}.`}</p>}
      {added !== undefined && words !== undefined ? (
        <details>
          <summary>{`Added ${added}. Add more`}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </Card>
  );
}
