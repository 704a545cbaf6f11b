import { compose, composeCrawler } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { searchFor, searchNight } from '../../crawl/search-products.ts';
import { searchOf } from '../../source/endpoints/index.ts';
import { longestKeyword } from '../../source/endpoints/uk-product-search.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readRegion } from '../option-values.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';

interface Options extends FormatOptions {
  readonly region: RegionCode;
  readonly save?: boolean;
  readonly operands: readonly string[];
}

const columns = ['region', 'rank', 'product_id', 'title', 'brand', 'price', 'is_for_sale', 'sponsored'] as const;

export const search = defineVerb<Options>({
  declare(command) {
    command
      .argument('<keyword...>', 'what to search for')
      .option('--region <region>', 'uk; Ireland has no search', readRegion, 'uk')
      .option('--save', 'save the page as a search of tonight, as for SEARCH_KEYWORDS');
    declareFormats(command);
  },

  run({ region, save = false, operands, ...options }, { config, clock, log, console, signal }) {
    if (searchOf[region] === null) throw new UsageInvalid('There is no search for Ireland; use --region uk.');
    const keyword = operands.join(' ').trim();
    if (keyword === '' || keyword.length > longestKeyword)
      throw new UsageInvalid(
        `A keyword must have 1 to ${longestKeyword} characters, this one has ${keyword.length}. No request was sent.`,
      );
    return using(compose(config, { clock, log, name: 'search' }), (base) =>
      using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
        const night = searchNight(region, clock.now());
        const { page, saved } = await searchFor(context, night, keyword, signal, { isSaved: save });
        const productOf = new Map(page.products.map((product) => [product.productId, product]));
        const rows = page.ranks.map(({ rank, productId, sponsored }) => {
          const { title, brand, priceMinor, isForSale } = productOf.get(productId)!;
          const price = priceMinor === null ? null : (priceMinor / 100).toFixed(2);
          return { region, rank, product_id: productId, title, brand, price, is_for_sale: isForSale, sponsored };
        });
        await writeRows(console, formatOf(options), {
          columns,
          head: {
            keyword,
            declared_total: page.declaredTotal,
            popular_filters: page.popularFilters.map(({ name }) => name),
          },
          batches: [rows],
        });
        if (rows.length === 0) console.say(`The search for "${keyword}" found no products.`);
        if (saved) {
          console.say(
            `Saved as ${night.snapshotDate}. Products that differ from the catalogue: ${saved.refreshed}. ` +
              `Products that no night has listed: ${saved.notListed}.`,
          );
        }
      }),
    );
  },
});
