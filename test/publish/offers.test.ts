import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedProduct, Promotion, PromotionKind } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releasePartial } from '../../src/publish/release-partial.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { expectNightsFromHistory } from '../support/night-reference.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed, promoted } from '../support/open-run.ts';

/**
 * Nights are observed at 02:00Z; promotions begin and end at other hours, some between two nights, some at the very
 * instant.
 */
const moments = ['2026-03-01T12:00:00Z', '2026-03-02T02:00:00Z', '2026-03-02T23:00:00Z', '2026-03-03T12:00:00Z', null];
const promotion = fc.record({
  kind: fc.constantFrom('loyalty_price', 'loyalty_price', 'multibuy'),
  price: fc.constantFrom(90, 80),
  startsAt: fc.constantFrom(...moments),
  endsAt: fc.constantFrom(...moments, '2026-03-04T01:59:59Z'),
});
type Offered = typeof promotion extends fc.Arbitrary<infer Value> ? Value : never;
const shown = fc.record({
  product: fc.integer({ min: 1, max: 5 }),
  price: fc.constantFrom(100, 120),
  promotions: fc.uniqueArray(promotion, { maxLength: 3, selector: (offered) => textOf(offered) }),
});
const night = fc.record({
  isCertified: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  /** Null: the same as the night before. */
  page: fc.option(fc.uniqueArray(shown, { selector: ({ product }) => product, maxLength: 5 }), { freq: 2 }),
  isCrawledTwice: fc.boolean(),
  isReleased: fc.boolean(),
});

/** Others every time; more by hand: `SEQUENCES=50 npx vitest run test/publish/offers.test.ts`. */
const sequences = Number(process.env['SEQUENCES'] ?? 4);

describe('the offers of a night', () => {
  const database = useDatabase();

  test('offers follow the promotions in effect, whenever they begin and end, for any nights', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 1, maxLength: 5 }), async (story) => {
        await emptied();
        let last: readonly ListedProduct[] = [];
        for (const [index, { isCertified, page, isCrawledTwice, isReleased }] of story.entries()) {
          const date = `2026-03-0${index + 1}`;
          last = page?.map((product) => listedOf(product)) ?? last;
          const first = await crawl(date, last, isCertified);
          if (isReleased && !isCertified)
            await releasePartial(database.db, { runId: first, delistAfter: 2, why: 'seen', now: new Date() });
          if (isCrawledTwice) await crawl(date, last, true);
        }
        await expectNightsFromHistory(database.db);
        expect((await brokenInvariants(database.db)).filter((promise) => !promise.startsWith('spend:'))).toEqual([]);
      }),
      { numRuns: sequences },
    );
  });

  test('an offer ends with a promotion whose last day has passed, although the product did not change', async () => {
    await emptied();
    const bread = listedOf({
      product: 1,
      price: 100,
      promotions: [{ kind: 'loyalty_price', price: 80, startsAt: null, endsAt: '2026-03-02T12:00:00Z' }],
    });
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-03']) await crawl(date, [bread], true);
    const rows = await rowsOf(
      database.db,
      `select loyalty_price_minor as price, valid_from::date::text as since, valid_to::date::text as until
       from catalog.offer_spell`,
    );
    expect(rows).toEqual([{ price: 80, since: '2026-03-01', until: '2026-03-03' }]);
    expect(
      await rowsOf(
        database.db,
        `select snapshot_date as date, loyalty_price as price, on_promotion as "isOn"
         from marts.fct_price_daily
         order by 1`,
      ),
    ).toEqual([
      { date: '2026-03-01', price: '0.80', isOn: true },
      { date: '2026-03-02', price: '0.80', isOn: true },
      { date: '2026-03-03', price: null, isOn: false },
    ]);
  });

  const crawl = (date: string, products: readonly ListedProduct[], isCertified: boolean) =>
    publishOnePage(database.db, date, products, isCertified);
  const emptied = () => forgetEverything(database.db, 'restart');
});

const textOf = ({ kind, price, startsAt, endsAt }: Offered) => `${kind} ${price} ${startsAt} ${endsAt}`;

function listedOf({ product, price, promotions }: { product: number; price: number; promotions: readonly Offered[] }) {
  return listed(String(product), { priceMinor: price, promotions: promotions.map(promotionOf) });
}

function promotionOf(offered: Offered): Promotion {
  const instant = (text: string | null) => (text === null ? null : new Date(text));
  return promoted({
    description: textOf(offered),
    startsAt: instant(offered.startsAt),
    endsAt: instant(offered.endsAt),
    kind: offered.kind as PromotionKind,
    loyaltyPriceMinor: offered.kind === 'loyalty_price' ? offered.price : null,
  });
}
