import { kindOf, NothingFound, UsageInvalid } from '../../base/errors.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { ingestOne } from '../../crawl/ingest.ts';
import { requestDetails } from '../../crawl/ledger/details.ts';
import { columnsOf } from '../../questions/columns.ts';
import { find } from '../../questions/find.ts';
import { readNamedProduct } from '../../questions/named.ts';
import { prices } from '../../questions/prices.ts';
import { type Ask, statementOf } from '../../questions/question.ts';
import { defineVerb, type Invocation, type ValuesOf } from '../define-verb.ts';
import { nothingCrawled } from '../nights-owed.ts';
import { flag, readRegion } from '../option-values.ts';
import { formatOf, formats, inWords, writeRows } from '../output/rows.ts';
import { amount, describeAccount, readAccount } from '../product-account.ts';
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
