import { amount, unitAmount } from '../output/amounts.ts';
import { plainText } from '../output/plain-text.ts';
import { sparkline } from '../output/sparkline.ts';
import { formatTable } from '../output/table.ts';
import type { ProductAccount } from './read-product.ts';

/** Spells shown of each kind, the last ones. */
const spellsShown = 12;

/** A product in lines for people: what it is, what it costs, how that came about, and who says so. */
export function describeProduct(account: ProductAccount, width: number | null): string {
  const { product, categories, promotions, prices, availabilities, nightly } = account;
  const { currency } = product;
  const lines: [string, string | null][] = [
    ['brand', product.brand],
    ['barcode', product.gtin],
    ...categories.map((path): [string, string] => ['category', path]),
    ['pack', packOf(product)],
    ['price', amount(product.price, currency)],
    ['per unit', unitAmount(product.unit_price, product.unit_of_measure, currency)],
    ['members', amount(product.loyalty_price, currency)],
    ['stock', product.availability],
    ...promotions.map((each): [string, string] => ['promotion', `${each.description}${until(each.ends_on)}`]),
    ['prices', drawn(nightly, currency)],
    ['first seen', product.first_seen_on],
    ['as of', `${product.snapshot_date}, run ${product.run_id}, ${product.certificate.replaceAll('_', ' ')}`],
  ];
  const facts = lines
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name.padEnd(11)}${plainText(value!).replaceAll('\n', ' ')}\n`);
  const title = `${product.region} ${product.product_id}  ${plainText(product.title ?? 'without a title').replaceAll('\n', ' ')}\n`;
  return [title, ...facts, '\n', priceTable(prices, currency, width), '\n', stockTable(availabilities, width)].join('');
}

/** `2000 ml`, `1320 ml in 4 pieces`, `8 each`. */
function packOf({ pack_size, pack_measure, pack_count }: ProductAccount['product']): string | null {
  if (pack_size === null) return null;
  const pieces = pack_count === null || pack_measure === 'each' ? '' : ` in ${pack_count} pieces`;
  return `${pack_size} ${pack_measure}${pieces}`;
}

const until = (date: string | null): string => (date === null ? '' : ` (until ${date})`);

function drawn(nightly: readonly (number | null)[], currency: string): string | null {
  const known = nightly.filter((price) => price !== null);
  if (known.length === 0) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)].map((each) => amount(each.toFixed(2), currency));
  return `${sparkline(nightly)}  ${least === most ? least : `${least} to ${most}`}, ${nightly.length} nights`;
}

function priceTable(prices: ProductAccount['prices'], currency: string, width: number | null): string {
  const rows = prices
    .slice(-spellsShown)
    .map((each) => [
      each.first_night,
      each.last_night,
      each.nights,
      amount(each.price, currency),
      amount(each.loyalty_price, currency),
      unitAmount(each.unit_price, each.unit_of_measure, currency),
    ]);
  return `${cutNote(prices.length)}${formatTable(['from', 'to', 'nights', 'price', 'members', 'per unit'], rows, { width })}`;
}

function stockTable(spells: ProductAccount['availabilities'], width: number | null): string {
  const rows = spells
    .slice(-spellsShown)
    .map(({ first_night, last_night, nights, availability }) => [first_night, last_night, nights, availability]);
  return `${cutNote(spells.length)}${formatTable(['from', 'to', 'nights', 'stock'], rows, { width })}`;
}

const cutNote = (count: number): string =>
  count > spellsShown ? `(the last ${spellsShown} of ${count}; --json has all)\n` : '';
