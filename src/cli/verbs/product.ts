import { kindOf, NothingFound, UsageInvalid } from '../../base/errors.ts';
import { type Column, plain, type Row } from '../../base/format.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { writtenAmount } from '../../base/written-amount.ts';
import { ingestOne } from '../../crawl/ingest.ts';
import { requestDetails } from '../../crawl/ledger/details.ts';
import { columnsOf, type RowOf } from '../../questions/columns.ts';
import { find } from '../../questions/find.ts';
import { readNamedProduct } from '../../questions/named.ts';
import { prices } from '../../questions/prices.ts';
import { type AvailabilitySpell, availabilityOf, factsOf, type ProductFacts } from '../../questions/product.ts';
import { type Ask, statementFor, statementOf } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { defineVerb, type Invocation, type ValuesOf } from '../define-verb.ts';
import { nothingCrawled } from '../nights-owed.ts';
import { flag, readRegion } from '../option-values.ts';
import { formatOf, formats, inWords, shown, writeRows } from '../output/rows.ts';
import { tableOf } from '../output/table.ts';
import { printFound } from '../read-verb.ts';
import { withBase, withGateway } from '../with-base.ts';

const declared = {
  refresh: flag('--refresh', 'request its own page now; the next night requests its details first'),
  ...formats(),
};

type Options = ValuesOf<typeof declared> & {
  readonly operands: readonly [region: RegionCode, ...words: string[]];
};

export const verb = defineVerb<Options>({
  options: declared,
  declare(command) {
    command
      .argument('<region>', 'uk or ie', readRegion)
      .argument('<product...>', 'id, barcode, address of its page, or words of its title');
  },

  async run({ operands: [region, ...words], refresh = false, ...options }, invocation) {
    const { console } = invocation;
    const text = words.join(' ').trim();
    if (text === '')
      throw new UsageInvalid('Name a product by its id, the address of its page, or words of its title.');
    const isNamed = readNamedProduct(text, region).product !== text || /^(?=.*\d)[\w-]+$/.test(text);
    if (refresh && !isNamed) throw new UsageInvalid('--refresh needs a single product: name it by its id or address.');
    if (refresh) await refreshProduct(invocation, region, text);
    const format = formatOf(options);
    return withBase(invocation, async ({ db }) => {
      const ask: Ask = (statement) => db.query(statement.text, statement.values);
      const wanted = { words: text, region, availability: 'any' };
      const { rows } = await ask((await statementOf(find, wanted, { limit: maxFound + 1 }, ask)).sql);
      const named = rows.filter((row) => row['product_id'] === text);
      const found = named.length > 0 ? named : rows;
      const [first, ...others] = found;
      if (!first) throw new NothingFound((await nothingCrawled(db)) ?? `No product of ${region} matches "${text}".`);
      if (others.length > 0) {
        const columns = find.columns.map(({ name }) => name);
        const table = inWords(columnsOf(find, 'product_id', 'title', 'price', 'loyalty_price', 'availability'));
        const head = { region, product: null };
        await writeRows(console, format, { columns, table, head, batches: [found.slice(0, maxFound)] });
        const some = found.length > maxFound ? `More than ${maxFound}` : found.length;
        console.say(`${some} products have these words in title or brand. Name one by its id, or give more words.`);
        return;
      }
      const account = await readAccount(ask, region, first['product_id'] as string);
      if (!account) throw new NothingFound(`No night of ${region} is published yet.`);
      if (format !== 'csv') {
        const json = { version: 1, region, ...account, rows: [] };
        return printFound({ json, text: describeAccount(account) }, options, invocation);
      }
      const spells = account.prices.map((spell) => ({ title: account.product.title, ...spell }));
      await writeRows(console, format, {
        columns: ['title', ...prices.columns.map(({ name }) => name)],
        batches: [spells],
      });
    });
  },
});

const maxFound = 50;

/**
 * Requests a product's own page and prints its current state. The payload is archived; the catalogue is not changed,
 * because only nights write it. The next night requests this page first. `idOrAddress` is sent as given.
 */
function refreshProduct(invocation: Invocation, region: RegionCode, idOrAddress: string): Promise<void> {
  const { console, signal } = invocation;
  return withGateway(invocation, async ({ db, ask, ingest, endpointsOf }) => {
    const endpoint = endpointsOf[region].productDetails;
    const params = { productId: idOrAddress };
    const detail = await ask(endpoint, params, null, signal)
      .then((answer) => ingestOne(ingest, endpoint, { params, answer }, null))
      .then(({ records }) => records)
      .catch((error: unknown) => {
        if (kindOf(error) === 'not_there') return null;
        throw error;
      });
    if (!detail) return console.say(`${region}: the shop has no page for product ${idOrAddress}.`);
    const { productId, title, status, priceMinor } = detail;
    const known = await requestDetails(db, region, [productId]);
    const price = priceMinor === null ? 'no price' : amount((priceMinor / 100).toFixed(2), regions[region].currency);
    console.say(
      `${region} ${productId}: ${title ?? 'without a title'}, ${price}, ${status ?? 'status unknown'} ` +
        '(its own page, just now).',
    );
    console.say(
      known > 0
        ? 'The next night requests these details first and stores them.'
        : 'No night has listed this product, so its details are not stored.',
    );
  });
}

type PriceSpell = RowOf<typeof prices>;
type Account = NonNullable<Awaited<ReturnType<typeof readAccount>>>;

/** A product on the region's last night, with its history; null: it is unknown, or no night is published. */
async function readAccount(ask: Ask, region: RegionCode, id: string) {
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
    prices: await rowsOf<PriceSpell>(statementFor(prices, { region, product: id }, { limit: null })),
    availabilities: await rowsOf<AvailabilitySpell>(availabilityOf(region, id)),
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
const amount = (value: string | null, currency: string): string | null => value && writtenAmount(value, currency, '-');

/** Text of an account: state, prices, availability. */
function describeAccount({ product, categories, promotions, prices: spells, availabilities }: Account): string {
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
