import type { JSX } from 'preact';
import { z } from 'zod';
import type { RegionCode } from '../base/model/index.ts';
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

export const FindParameter = textUpTo(2_000, 2).meta({ description: 'Words of products to add' });

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

/** Products with the words, to be added to a page. */
export const foundQuery = (words: string | undefined, region: RegionCode): Query<ProductLine> => ({
  caption: 'Products to add',
  sql: withLine(
    words === undefined
      ? sql`select null::int as product_key where false`
      : sql`
          select n.product_key
          from ${readWanted(words, region).found} as found
          join marts.product_now n using (product_key)
          where n.availability in ('available', 'unavailable')
          order by ${bestFirst}
          limit 12`,
    region,
  ),
  columns: lineColumns,
  none: words === undefined ? 'Search for products, or tick them in any list.' : 'No products match. Try fewer words.',
});

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
  readonly of: Table<ProductLine>;
  readonly nights: Table<Night>;
  readonly words: string | undefined;
  readonly action: string;
  /** Parameters that hold what is chosen already. */
  readonly keep: RowForm['keep'];
}

/** Search for products, which the page then adds to its own. */
export function AddProducts({ of: found, nights, words, action, keep }: AddProductsProps): JSX.Element {
  return (
    <Card title="Add products">
      <search>
        <form class="filters" action={action} autocomplete="off">
          {Object.entries(keep).map(
            ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <input type="search" name="find" value={words ?? ''} aria-label="Words of products to add" />
          <button type="submit">Search</button>
        </form>
      </search>
      <ProductTable
        of={found}
        nights={nights}
        form={{ action, keep, label: 'Add those ticked', hasTicks: true }}
        columns={[
          { heading: 'Per unit', cell: unitPrice },
          { heading: 'Price', isPrice: true, cell: (row) => <PriceCell of={row} /> },
          {
            heading: 'Add',
            cell: (row) => (
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
    </Card>
  );
}
