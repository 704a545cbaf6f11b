import { type Column, plain, type Row } from '../base/format.ts';
import type { RegionCode } from '../base/model/index.ts';
import { writtenAmount } from '../base/written-amount.ts';
import { columnsOf, type RowOf } from '../questions/columns.ts';
import { prices } from '../questions/prices.ts';
import { type AvailabilitySpell, availabilityOf, factsOf, type ProductFacts } from '../questions/product.ts';
import { type Ask, statementFor } from '../questions/question.ts';
import { type Sql, sql } from '../questions/sql.ts';
import { inWords, shown } from './output/rows.ts';
import { tableOf } from './output/table.ts';

type PriceSpell = RowOf<typeof prices>;
type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>;

/** A product on the region's last night, with its history; null: it is unknown, or no night is published. */
export async function readAccount(ask: Ask, region: RegionCode, id: string) {
  const rowsOf = async <Answer>(statement: Sql) => (await ask(statement)).rows as readonly Answer[];
  const [last] = await rowsOf<{ snapshot_date: string; run_id: number; certificate: string }>(sql`
    select snapshot_date, run_id, certificate from marts.snapshot where region = ${region}
    order by snapshot_date desc limit 1`);
  const [facts] = await rowsOf<ProductFacts>(factsOf(region, id));
  if (!facts || !last) return null;
  const isListed = ['available', 'unavailable'].includes(facts.availability);
  const noPrice = { price: null, loyalty_price: null, unit_price: null, unit_of_measure: null };
  return {
    product: { ...facts, ...(isListed ? {} : noPrice), ...last },
    categories: (await rowsOf<{ path: string }>(categoriesOf(region, id))).map(({ path }) => path),
    // Promotions of a product that is gone stay as last seen, so they are not in effect.
    promotions: isListed
      ? await rowsOf<{ description: string; last_day: string | null }>(promotionsOf(region, id))
      : [],
    prices: (await rowsOf<PriceSpell>(statementFor(prices, { region, product: id }, { limit: null }))).toReversed(),
    availabilities: (await rowsOf<AvailabilitySpell>(availabilityOf(region, id))).toReversed(),
  };
}

const categoriesOf = (region: RegionCode, id: string) => sql`
  select c.path
  from marts.bridge_product_category b
  join marts.dim_category c on c.category_key = b.category_key
  where b.region = ${region} and b.product_id = ${id} and b.is_direct and b.valid_to is null
  order by c.path`;

const promotionsOf = (region: RegionCode, id: string) => sql`
  select f.description, f.kind, f.loyalty_price,
    (f.starts_at at time zone region.time_zone)::date as starts_on,
    (f.ends_at at time zone region.time_zone)::date as ends_on,
    ((f.ends_at - interval '1 microsecond') at time zone region.time_zone)::date as last_day
  from marts.fct_promotion f
  join marts.dim_region region on region.region = f.region
  join (
    select started_at from marts.snapshot where region = ${region} order by snapshot_date desc limit 1
  ) as night on (f.starts_at is null or f.starts_at <= night.started_at)
    and (f.ends_at is null or f.ends_at > night.started_at)
  where f.region = ${region} and f.product_id = ${id} and f.seen_to is null
  order by f.ends_at nulls last, f.description`;

/** `£1.20`, with all digits of the amount; null if there is none. */
export const amount = (value: string | null, currency: string): string | null =>
  value && writtenAmount(value, currency, '-');

/** Text of an account: state, prices, availability. */
export function describeAccount({ product, categories, promotions, prices: spells, availabilities }: Account): string {
  const { currency, pack_size: size, pack_measure: measure, pack_count: pieces } = product;
  const inPieces = pieces === null || measure === 'each' ? '' : ` in ${pieces} pieces`;
  const facts: [string, string | null][] = [
    ['brand', product.brand],
    ['barcode', product.gtin],
    ...categories.map((path): [string, string] => ['category', path]),
    ['pack', size && `${Number(size)} ${measure}${inPieces}`],
    ['price', amount(product.price, currency)],
    ['per unit', shown(product, { name: 'unit_price', as: 'money' }) || null],
    ['members', amount(product.loyalty_price, currency)],
    ['stock', product.availability],
    ...promotions.map(({ description, last_day: day }): [string, string] => [
      'promotion',
      `${description}${day === null ? '' : ` (last day ${day})`}`,
    ]),
    ['first seen', product.first_seen_on],
    ['as of', `${product.snapshot_date}, run ${product.run_id}, ${product.certificate.replaceAll('_', ' ')}`],
  ];
  const lines = [
    `${product.region} ${product.product_id}  ${product.title ?? 'without a title'}`,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(11)}${value}`])),
  ];
  const text = lines.map((line) => `${plain(line)}\n`).join('');
  const stock = [...columnsOf(prices, 'valid_from', 'valid_to'), { name: 'availability', heading: 'Stock' }];
  return [
    text,
    spellTable(columnsOf(prices, 'valid_from', 'valid_to', 'price', 'loyalty_price', 'unit_price'), spells),
    spellTable(stock, availabilities),
  ].join('\n');
}

/** Maximum number of spells per table; the last ones are shown. */
const spellsShown = 12;

function spellTable(columns: readonly Column[], spells: readonly Row[]): string {
  const cut = spells.length > spellsShown;
  const note = cut ? `(the last ${spellsShown} of ${spells.length}; --json has all)\n` : '';
  return `${note}${tableOf(inWords(columns), spells.slice(-spellsShown))}`;
}
