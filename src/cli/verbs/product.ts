import { compose } from '../../app/compose.ts';
import { NothingFound, UsageInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readRegion } from '../option-values.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';
import { describeProduct } from '../product/describe-product.ts';
import { findProducts, mostFound, readWanted } from '../product/find-product.ts';
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
      .argument('<product...>', 'its id or barcode, the address of its page, or words of its title');
    command.option('--refresh', 'request its own page now; the next night requests its details first');
    declareFormats(command);
  },

  async run({ operands, refresh = false, ...options }, invocation) {
    const { config, clock, log, console } = invocation;
    const [named, ...words] = operands;
    const region = named as RegionCode;
    const wanted = readWanted(region, words);
    if (refresh) {
      if (wanted.kind === 'words')
        throw new UsageInvalid('--refresh asks for one product: name it by its id or its address.');
      await refreshProduct(invocation, region, words.join(' ').trim());
    }
    const format = formatOf(options);
    return using(compose(config, { clock, log, name: 'product' }), async ({ db }) => {
      const found = await findProducts(db, region, wanted);
      const [first, ...others] = found;
      if (!first) throw new NothingFound(`No product of ${region} is known by "${words.join(' ')}".`);
      if (others.length > 0) {
        const rows = found.slice(0, mostFound).map((each) => ({ region, ...inMarts(each) }));
        await writeRows(console, format, {
          columns: ['region', 'product_id', 'title', 'brand', 'availability'],
          head: { region, product: null },
          batches: [rows],
        });
        const some =
          found.length > mostFound ? `More than ${mostFound} products have` : `${found.length} products have`;
        console.say(`${some} that in title or brand: name one by its id, or more words of its title.`);
        return;
      }
      const account = await readProduct(db, region, first.productId);
      if (!account) throw new NothingFound(`No night of ${region} is published yet.`);
      const { nights: _, ...told } = account;
      if (format === 'json') await console.data(`${JSON.stringify({ version: 1, region, ...told, rows: [] })}\n`);
      else if (format === 'table') await console.data(describeProduct(account, console.dataWidth()));
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

const inMarts = ({ productId, ...others }: Awaited<ReturnType<typeof findProducts>>[number]) => ({
  product_id: productId,
  ...others,
});
