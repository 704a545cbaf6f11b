import type { AvailabilitySpell, PriceSpell, Spell } from '../../questions/product.ts';
import { amount, unitAmount } from '../output/amounts.ts';
import { plainText } from '../output/plain-text.ts';
import { formatTable } from '../output/table.ts';
import { isWithin, type Night, type ProductAccount } from './read-product.ts';

/** Maximum number of spells per table; the last ones are shown. */
const spellsShown = 12;

/** Text of a product: state, price history, availability and the night it is based on. */
export function describeProduct(account: ProductAccount): string {
  const { product, categories, promotions, prices, availabilities, nights } = account;
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
    ...promotions.map((each): [string, string] => ['promotion', `${each.description}${lastDay(each.last_day)}`]),
    ['first seen', product.first_seen_on],
    ['as of', `${product.snapshot_date}, run ${product.run_id}, ${product.certificate.replaceAll('_', ' ')}`],
  ];
  const facts = lines
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `  ${name.padEnd(11)}${plainText(value!).replaceAll('\n', ' ')}\n`);
  const title = plainText(product.title ?? 'without a title').replaceAll('\n', ' ');
  return [
    `${product.region} ${product.product_id}  ${title}\n`,
    ...facts,
    '\n',
    priceTable(prices, nights, currency),
    '\n',
    stockTable(availabilities, nights),
  ].join('');
}

/** `2000 ml`, `1320 ml in 4 pieces`, `8 each`. */
function packOf({ pack_size, pack_measure, pack_count }: ProductAccount['product']): string | null {
  if (pack_size === null) return null;
  const pieces = pack_count === null || pack_measure === 'each' ? '' : ` in ${pack_count} pieces`;
  return `${pack_size} ${pack_measure}${pieces}`;
}

const lastDay = (date: string | null): string => (date === null ? '' : ` (last day ${date})`);

/** First night, last night and number of nights of a spell. */
function nightsOf(spell: Spell, nights: readonly Night[]): [string, string, number] {
  const within = nights.filter(({ snapshot_date: date }) => isWithin(date, spell));
  return [spell.valid_from, within.at(-1)?.snapshot_date ?? spell.valid_from, within.length];
}

function priceTable(prices: readonly PriceSpell[], nights: readonly Night[], currency: string): string {
  const rows = prices
    .slice(-spellsShown)
    .map((spell) => [
      ...nightsOf(spell, nights),
      amount(spell.price, currency),
      amount(spell.loyalty_price, currency),
      unitAmount(spell.unit_price, spell.unit_of_measure, currency),
    ]);
  const headings = ['from', 'to', 'nights', 'price', 'members', 'per unit'];
  return `${cutNote(prices.length)}${formatTable(headings, rows)}`;
}

function stockTable(spells: readonly AvailabilitySpell[], nights: readonly Night[]): string {
  const rows = spells.slice(-spellsShown).map((spell) => [...nightsOf(spell, nights), spell.availability]);
  return `${cutNote(spells.length)}${formatTable(['from', 'to', 'nights', 'stock'], rows)}`;
}

const cutNote = (count: number): string =>
  count > spellsShown ? `(the last ${spellsShown} of ${count}; --json has all)\n` : '';
