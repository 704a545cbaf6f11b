import { compose, composeCrawler } from '../../app/compose.ts';
import { NotThere } from '../../base/errors.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { ingestOne } from '../../crawl/ingest.ts';
import { requestDetails } from '../../crawl/ledger/detail-visits.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { amount } from '../output/amounts.ts';

/**
 * Requests a product's own page and prints its current state. The payload is archived; the catalogue is not changed,
 * because only nights write it. The next night requests this page first. `idOrAddress` is sent as given.
 */
export function refreshProduct(
  { config, clock, log, console, signal }: Invocation,
  region: RegionCode,
  idOrAddress: string,
): Promise<void> {
  return using(compose(config, { clock, log, name: 'product' }), (base) =>
    using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
      const { db, ask, ingest, endpointsOf } = context;
      const endpoint = endpointsOf[region].productDetails;
      const question = { productId: idOrAddress };
      const detail = await ask(endpoint, question, null, signal)
        .then((answer) => ingestOne(ingest, endpoint, { params: question, answer }, null))
        .then(({ records }) => records)
        .catch((error: unknown) => {
          if (error instanceof NotThere) return null;
          throw error;
        });
      if (!detail) return console.say(`${region}: the shop has no page for product ${idOrAddress}.`);
      const { productId, title, status, priceMinor } = detail;
      const known = await requestDetails(db, region, [productId], clock.now());
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
    }),
  );
}
