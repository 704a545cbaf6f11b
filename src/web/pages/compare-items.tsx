import type { JSX } from 'preact';
import { Items, itemsOf, maxOfOne, maxProducts } from '../../questions/basket.ts';
import { basketSwaps } from '../../questions/basket-swaps.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import type { find } from '../../questions/find.ts';
import { sql } from '../../questions/sql.ts';
import { productHref } from '../kernel/addresses.ts';
import { perUnitNow } from '../kernel/cells.tsx';
import type { ParametersOf, Shown } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { Badges, ProductList } from '../kernel/products.tsx';
import { money, rounded, text } from '../kernel/words.ts';

export type ComparePage = Shown<RowOf<typeof find>, ParametersOf<typeof find>>;

/** Quantities by product id, in the order of the address. */
export type Quantities = ReadonlyMap<string, number>;

/** Items of the address; what is none is left out. */
export function quantitiesIn({ items = '' }: ComparePage['options']): Quantities {
  const quantities = new Map<string, number>();
  for (const item of items.split(',').flatMap((one) => Items.safeParse(one).data ?? [])) {
    const { ids, quantities: given } = itemsOf(item);
    quantities.set(ids[0]!, Math.min(maxOfOne, (quantities.get(ids[0]!) ?? 0) + given[0]!));
  }
  return new Map([...quantities].slice(0, maxProducts));
}

export const itemsText = (items: Iterable<readonly [string, number]>): string =>
  [...items].map(([id, count]) => (count === 1 ? id : `${id}:${count}`)).join(',');

/** The chosen products that the region knows, and the ids that it does not. */
export async function chosenIn({ ask, options, parameters: { region } }: ComparePage) {
  const wanted = quantitiesIn(options);
  const rows = await ask({
    caption: 'The chosen products',
    columns: fields('product_id'),
    sql: sql`
      select product_id from marts.product_now
      where region = ${region} and product_id = any (${[...wanted.keys()]}::text[])`,
  });
  const unread = (options['items'] ?? '').split(',').filter((one) => one && !Items.safeParse(one).success);
  const known = new Set(rows.map(({ product_id }) => product_id));
  return {
    quantities: new Map([...wanted].filter(([id]) => known.has(id))) as Quantities,
    unknown: [...wanted.keys()].filter((id) => !known.has(id)).concat(unread),
  };
}

/** The items, and the cheapest product of the shelf of each. */
export async function itemRows(shown: ComparePage, quantities: Quantities) {
  const items = await shown.of(basketSwaps, { items: itemsText(quantities), region: shown.parameters.region });
  return items.lined('shelf', { limit: null });
}

type Item = Awaited<ReturnType<typeof itemRows>>['rows'][number];

/** The products with quantities, and the cheapest product of the shelf of each. */
export async function ItemsCard(shown: ComparePage, quantities: Quantities) {
  const hrefOf = (items: Iterable<readonly [string, number]>) => shown.hrefWith({ items: itemsText(items) });
  const amount = (value: string | number | null, { currency }: Item) => money(value, currency);
  const found = await itemRows(shown, quantities);
  const saving = found.rows.reduce((sum, row) => sum + Number(row.saving), 0);
  const swapped = found.rows.map(({ product_id: id, quantity, swap_product_id: swap, swap_quantity: count }) =>
    swap === null ? ([id, quantity] as const) : ([swap, count ?? 1] as const),
  );
  const swaps = saving > 0 && (
    <a href={hrefOf(swapped)}>{`Swap all: ${rounded(saving, found.rows[0]!.currency)} less without a card`}</a>
  );
  return (
    <Card id="items" title="What is in it" aside={swaps}>
      <ProductList
        of={found}
        caption="What is in it"
        kept={{ ...shown.written, ...shown.options, items: undefined }}
        button="Change quantities"
        options={{
          below: (row) => <Swap of={row} quantities={quantities} hrefOf={hrefOf} />,
          cells: [
            { ...perUnitNow, isNamed: true },
            { heading: 'Each', isNamed: true, show: (row) => amount(row.line.price, row) },
            { heading: 'Quantity', show: (row) => <Quantity of={row} /> },
            {
              heading: 'Total',
              isPrice: true,
              show: (row) => (
                <>
                  <span class="price">{amount(row.cost, row)}</span>
                  {row.line.loyalty_price !== null && row.cost !== null && (
                    <small>{amount(row.quantity * Number(row.line.loyalty_price), row)} members</small>
                  )}
                </>
              ),
            },
          ],
        }}
      />
    </Card>
  );
}

/** The product of the same shelf that gives the content for least, and a link that removes the row. */
function Swap(props: { of: Item; quantities: Quantities; hrefOf(items: Iterable<readonly [string, number]>): string }) {
  const { of: row, quantities, hrefOf } = props;
  const { swap_product_id: id, swap_quantity: count } = row;
  const others = [...quantities].filter(([id]) => id !== row.product_id);
  const swapped = [...quantities].map((one) => (one[0] === row.product_id ? ([id ?? '', count ?? 1] as const) : one));
  return (
    <>
      <Badges of={row.line} axis={null} />
      {id !== null && count !== null && (
        <span>
          {`Without a card, ${money(row.saving, row.currency)} less for as much or more: `}
          {count > 1 && `${count} × `}
          <a href={productHref(row.region, id)}>{text(row.swap_title)}</a>{' '}
          <a href={hrefOf(swapped)} aria-label={`Swap ${text(row.title)} for it`}>
            Swap
          </a>
        </span>
      )}{' '}
      <a href={hrefOf(others)} aria-label={`Remove ${text(row.title)}`}>
        Remove
      </a>
    </>
  );
}

/** Quantities that a row offers. */
const maxOffered = 12;

/** Choice whose value is an item of the address. */
function Quantity({ of: { product_id: id, quantity, title } }: { of: Item }): JSX.Element {
  const offered = Array.from({ length: maxOffered }, (_, i) => i + 1);
  return (
    <select name="items" aria-label={`Quantity of ${text(title)}`}>
      {[...new Set([...offered, quantity])].map((count) => (
        <option key={count} value={itemsText([[id, count]])} selected={count === quantity}>
          {count}
        </option>
      ))}
    </select>
  );
}
