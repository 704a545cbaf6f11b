import { compose } from '../../app/compose.ts';
import { NothingFound, UsageInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { readWanted } from '../../questions/find-products.ts';
import { readProductAddress } from '../../questions/named-product.ts';
import type { Ask, Row } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readRegion } from '../option-values.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';
import { describeProduct } from '../product/describe-product.ts';
import { readProduct } from '../product/read-product.ts';
import { refreshProduct } from '../product/refresh-product.ts';

interface Options extends FormatOptions {
  readonly operands: readonly string[];
  readonly refresh?: boolean;
}

export const product = defineVerb<Options>({
  declare(command) {
    command
      .argument('<region>', 'uk or ie', readRegion)
      .argument('<product...>', 'id, barcode, address of its page, or words of its title');
    command.option('--refresh', 'request its own page now; the next night requests its details first');
    declareFormats(command);
  },

  async run({ operands, refresh = false, ...options }, invocation) {
    const { config, clock, log, console } = invocation;
    const [named, ...words] = operands;
    const region = named as RegionCode;
    const text = words.join(' ').trim();
    if (text === '')
      throw new UsageInvalid('Name a product by its id, the address of its page, or words of its title.');
    const isNamed = readProductAddress(text, region) !== null || /^(?=.*\d)[\w-]+$/.test(text);
    if (refresh) {
      if (!isNamed) throw new UsageInvalid('--refresh needs a single product: name it by its id or address.');
      await refreshProduct(invocation, region, text);
    }
    const format = formatOf(options);
    return using(compose(config, { clock, log, name: 'product' }), async ({ db }) => {
      const ask: Ask = (statement) => db.query(statement.text, statement.asked);
      const wanted = readWanted(text, region);
      const found = await findProducts(ask, region, text, wanted.found);
      const [first, ...others] = found;
      if (!first) throw new NothingFound(`No product of ${region} matches "${text}".`);
      if (others.length > 0) {
        await writeRows(console, format, {
          columns: ['region', 'product_id', 'title', 'brand', 'availability'],
          head: { region, product: null },
          batches: [found.slice(0, mostFound)],
        });
        const some =
          found.length > mostFound ? `More than ${mostFound} products have` : `${found.length} products have`;
        console.say(`${some} these words in title or brand. Name one by its id, or give more words.`);
        return;
      }
      const account = await readProduct(ask, region, first['product_id'] as string);
      if (!account) throw new NothingFound(`No night of ${region} is published yet.`);
      const { nights: _, ...told } = account;
      if (format === 'json') await console.data(`${JSON.stringify({ version: 1, region, ...told, rows: [] })}\n`);
      else if (format === 'table') await console.data(describeProduct(account));
      else {
        const { product_id, title, currency } = account.product;
        await writeRows(console, format, {
          columns: [...Object.keys({ region, product_id, title }), ...spellColumns, 'currency'],
          head: {},
          batches: [account.prices.map((spell) => ({ region, product_id, title, currency, ...spell }))],
        });
      }
    });
  },
});

const spellColumns = ['valid_from', 'valid_to', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure'] as const;

/** Maximum number of products found by words. */
const mostFound = 50;

/** The best matches first, those that are listed before those that are gone; one with this very id alone. */
async function findProducts(ask: Ask, region: RegionCode, text: string, found: Sql): Promise<readonly Row[]> {
  const { rows } = await ask(sql`
    select n.region, n.product_id, n.title, n.brand, n.availability
    from ${found} as found
    join marts.product_now n using (product_key)
    where n.region = ${region}
    order by n.product_id = ${text} desc, n.availability in ('available', 'unavailable') desc nulls last,
      found.relevance desc, length(n.title), n.title, n.product_id
    limit ${mostFound + 1}`);
  return rows[0]?.['product_id'] === text ? rows.slice(0, 1) : rows;
}
