import { Badge, Change } from './parts.tsx';
import type { Line } from './product-line.ts';
import type { Cell, OfProduct } from './products.tsx';
import { money, rounded, unitPrice } from './words.ts';

/** Change of the shelf price in 30 nights, percent; null: no price is known. */
export const changeIn30 = ({ price, price_30 }: Line): number | null =>
  price === null || price_30 === null || Number(price_30) === 0 ? null : 100 * (Number(price) / Number(price_30) - 1);

/** A row of a list. Written as an intersection, so that the compiler finds the row of the question in it. */
type Listed<Row> = OfProduct & Row & { readonly line: Line };

type Changed = Readonly<Record<'currency' | 'old_price' | 'new_price', string>> & { price_before_cut?: string | null };

/** The price after a change, the one before it, that before a cut which ended, and what members pay if it is less. */
export const priceChange: Cell<Listed<Changed>> = {
  heading: 'Price',
  isPrice: true,
  show: ({ old_price: from, new_price: to, price_before_cut: uncut, currency, line }) => (
    <>
      <span class="price">
        {money(to, currency)} <Change percent={100 * (Number(to) / Number(from) - 1)} />
      </span>
      <small>was {money(from, currency)}</small>
      {uncut && (
        <small>
          <Badge>a cut ended: {money(uncut, currency)} before it</Badge>
        </small>
      )}
      {line.availability === 'available' && Number(line.loyalty_price ?? to) < Number(to) && (
        <Badge kind="offer">{money(line.loyalty_price, currency)} members now</Badge>
      )}
    </>
  ),
};

/** The price now and that for members, or the last price of what is not for sale. */
export const priceNow: Cell<Listed<{ readonly currency: string }>> = {
  heading: 'Price',
  isPrice: true,
  show: ({ currency, line: { price, loyalty_price: members, availability } }) => (
    <>
      <span class="price">{money(price, currency)}</span>
      {availability !== 'available' ? (
        <small>{price === null ? 'no price known' : 'last price'}</small>
      ) : (
        members !== null && <Badge kind="offer">{money(members, currency)} members</Badge>
      )}
    </>
  ),
};

/** Price per unit, and that for members below it. */
export const perUnitNow: Cell<Listed<{ readonly currency: string }>> = {
  heading: 'Per unit',
  show: ({ currency, line: { price, loyalty_price, unit_price: each, unit, unit_loyalty, availability } }) => {
    const members = unit_loyalty ?? (loyalty_price && (Number(each) * Number(loyalty_price)) / Number(price));
    return (
      <>
        {unitPrice(each, unit, currency)}
        {members !== null && Number(members) < Number(each) && availability === 'available' && (
          <small>{rounded(Number(members), currency)} members</small>
        )}
      </>
    );
  },
};
