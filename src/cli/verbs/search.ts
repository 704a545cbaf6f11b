import { UsageInvalid } from '../../base/errors.ts';
import { localDate } from '../../base/local-date.ts';
import { regionCodes, regions } from '../../base/model/index.ts';
import { ingestOne } from '../../crawl/ingest.ts';
import { quarantine } from '../../crawl/stage/quarantine.ts';
import { shownForm } from '../../crawl/stage/search.ts';
import { saveSearch } from '../../publish/save-search.ts';
import { columnsOf } from '../../questions/columns.ts';
import { searches } from '../../questions/searches.ts';
import { searchOf } from '../../source/endpoints/index.ts';
import { longestKeyword } from '../../source/endpoints/uk-product-search.ts';
import { defineVerb, type ValuesOf } from '../define-verb.ts';
import { flag, preset, readRegion } from '../option-values.ts';
import { formatOf, formats, inWords, writeRows } from '../output/rows.ts';
import { withGateway } from '../with-base.ts';

const declared = {
  region: preset('uk', '--region <region>', 'uk; Ireland has no search', readRegion),
  save: flag('--save', 'save the page as a search of tonight, as for SEARCH_KEYWORDS'),
  ...formats(),
};

export const verb = defineVerb<ValuesOf<typeof declared> & { readonly operands: readonly string[] }>({
  options: declared,
  declare(command) {
    command.argument('<keyword...>', "words as typed into the shop's own search box");
  },

  run({ region, save = false, operands, ...options }, invocation) {
    const { clock, console, signal } = invocation;
    const [first = '', ...others] = operands;
    if (others.length > 0 && regionCodes.some((code) => code === first))
      throw new UsageInvalid(`The region is an option: \`pricebook search ${others.join(' ')} --region ${first}\`.`);
    const endpoint = searchOf[region];
    if (endpoint === null) throw new UsageInvalid('There is no search for Ireland; use --region uk.');
    const keyword = operands.join(' ').trim();
    if (keyword === '' || keyword.length > longestKeyword)
      throw new UsageInvalid(
        `A keyword must have 1 to ${longestKeyword} characters, this one has ${keyword.length}. No request was sent.`,
      );
    return withGateway(invocation, async ({ db, ask, ingest }) => {
      const answer = await ask(endpoint, { keyword }, null, signal);
      const asked = { params: { keyword }, answer };
      const { records: page, rejected: rejections } = await ingestOne(ingest, endpoint, asked, null);
      const productOf = new Map(page.products.map((product) => [product.productId, product]));
      const rows = page.ranks.map(({ rank, productId, sponsored }) => {
        const { title, brand, priceMinor, isForSale } = productOf.get(productId)!;
        const price = priceMinor === null ? null : (priceMinor / 100).toFixed(2);
        const named = { region, rank, product_id: productId, title, brand };
        return { ...named, price, currency: regions[region].currency, is_for_sale: isForSale, sponsored };
      });
      await writeRows(console, formatOf(options), {
        columns: ['region', 'rank', 'product_id', 'title', 'brand', 'price', 'currency', 'is_for_sale', 'sponsored'],
        table: inWords(
          columnsOf(searches, 'rank', 'product_id', 'title', 'brand', 'price', 'is_for_sale', 'sponsored'),
        ),
        head: { keyword, declared_total: page.declaredTotal, popular_filters: page.popularFilters },
        batches: [rows],
      });
      if (rows.length === 0) console.say(`The search for "${keyword}" found no products.`);
      if (!save) return;
      const { sha256: payloadSha256, receivedAt } = answer.payload;
      const snapshotDate = localDate(clock.now(), regions[region].timeZone);
      const changed = await db.tx(async (tx) => {
        const rejected = rejections.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt }));
        await quarantine(tx, { runId: null, region }, endpoint.name, rejected);
        return saveSearch(tx, { region, keyword, snapshotDate, page: shownForm(page), receivedAt });
      });
      console.say(`Saved as ${snapshotDate}. Products that differ from the catalogue: ${changed}.`);
    });
  },
});
