import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import type { Derivation } from '../../src/followers/derive/derivation.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { promotionStart } from '../../src/followers/derive/promotion-start.ts';
import { useDatabase } from '../support/database.ts';
import { dateOf, writePromotionBook } from './promotion-book.ts';
import { promotionCases } from './promotion-cases.ts';

const lastDay = 150;
const runs = Array.from({ length: lastDay }, (_, n) => String(n + 1));

/** Fails after having written. */
const breaking: Derivation = {
  name: 'breaking',
  forget: async () => undefined,
  derive: async () => {
    throw new Error('killed');
  },
};

describe('what is kept of the verdict on a prior price', () => {
  const database = useDatabase();
  const rows = async (text: string) => (await database.db.query(text)).rows;
  const derive = (region: (typeof regionCodes)[number], all: readonly Derivation[] = [promotionStart]) =>
    deriveNights(database.db, region, { all, rules: 1 });

  beforeAll(async () => {
    for (const [n, region] of regionCodes.entries()) {
      const calendar = { runs, partial: ['61'], firstKey: (n + 1) * 1_000 };
      await writePromotionBook(database.db, region, promotionCases[region], calendar);
    }
  });

  /** From what the promotion means and what was known of the product when it began. */
  const judged = `
    select s.product_key, s.promotion_key, s.seen_from, o.region, a.reference_price,
      round(100 * (1 - s.reduced_price / nullif(a.reference_price, 0)), 2) as announced_pct,
      round(100 * (1 - s.reduced_price / nullif(s.prior_price, 0)), 2) as real_pct,
      case
        when 1 - s.reduced_price / nullif(a.reference_price, 0) < 0 then -10
        when 1 - s.reduced_price / nullif(a.reference_price, 0) >= 0.7 then 70
        else trunc(10 * (1 - s.reduced_price / nullif(a.reference_price, 0))) * 10
      end::smallint as depth_from,
      case
        when a.reason is not null then null
        when a.reference_price > s.prior_price or s.reduced_price >= s.prior_price then 'fail'
        when o.save_percent - 0.5 > 100 - 100 * s.reduced_price / s.prior_price then 'fail'
        else case when s.prior_nights_known < 30 then 'not_enough_nights' else 'pass' end
      end as prior_price_check,
      a.reason as prior_price_reason
    from derived.promotion_start s
    join catalog.promotion o using (promotion_key)
    cross join lateral (
      select
        case
          when o.was_price_minor is not null then o.was_price_minor * 0.01
          when o.kind = 'loyalty_price' or o.kind = 'save_percent' and o.offer_type = 'CLUBCARD_PRICING' then s.price_minor * 0.01
          when o.kind = 'loyalty_unit_price' then s.unit_price
          when o.kind = 'price_cut' then s.reduced_price + o.saving_minor * 0.01
        end as reference_price,
        case
          when o.kind = 'unknown' then 'text_not_understood'
          when o.kind in ('multibuy', 'n_for_m', 'meal_deal') or o.quantity is not null then 'deal_on_several'
          when o.kind = 'price_cut' and coalesce(o.was_price_minor, o.saving_minor, o.save_percent) is null then 'no_reduction_stated'
          when o.kind = 'loyalty_unit_price' and s.unit_price is null then 'no_comparable_unit_price'
          when s.reduced_price is null then 'price_not_stated'
        end as reason
    ) as a`;

  const kept = `
    select product_key, promotion_key, seen_from, region, reference_price, announced_pct, real_pct, depth_from, prior_price_check,
      prior_price_reason
    from marts.fct_promotion_check`;

  const counted = (from: string) => `
    select region, snapshot_date, prior_price_check, prior_price_reason, depth_from, ${from}
    order by 1, 2, 3, 4, 5`;

  const starts = () => rows('select s::text as row from derived.promotion_start s order by 1');

  it('is what follows from nights crawled, released, replayed, forgotten and cut off in any order, and so are its counts', async () => {
    const region = fc.constantFrom(...regionCodes);
    const day = fc.integer({ min: 30, max: lastDay }).map(String);
    const action = fc.oneof(
      fc.record({ do: fc.constantFrom('derive', 'derive twice', 'release', 'break'), region, day }),
      fc.record({ do: fc.constantFrom('forget', 'hold', 'replay'), region, day }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 9 }), async (actions) => {
        for (const { do: what, region: of, day: on } of actions) {
          const forget = () => database.db.tx((tx) => forgetDerived(tx, of, dateOf(on), [promotionStart]));
          if (what === 'derive') await derive(of);
          if (what === 'derive twice') await Promise.all([derive(of), derive(of)]);
          if (what === 'break') await derive(of, [promotionStart, breaking]).catch(() => undefined);
          if (what === 'forget') await forget();
          if (what === 'hold') {
            await database.db.query(`update ops.run set status = 'held' where region = $1 and snapshot_date = $2`, [
              of,
              dateOf(on),
            ]);
          }
          if (what === 'release') {
            await database.db.query(`update ops.run set status = 'published' where region = $1`, [of]);
          }
          if (what === 'replay') {
            // A text seen first on that night or later means something else.
            await database.db.query(
              `update catalog.promotion o set was_price_minor = 999, save_percent = 40 - coalesce(save_percent, 0)
               where o.region = $1 and o.promotion_key % 3 = 0 and not exists (
                 select from catalog.product_promotion carried
                 where carried.promotion_key = o.promotion_key and carried.valid_from < $2::date)`,
              [of, dateOf(on)],
            );
            await forget();
          }
        }
        for (const each of regionCodes) await derive(each);
        const found = await starts();
        expect(found.length).toBeGreaterThan(150);
        expect(await rows(`(${kept}) except (${judged})`)).toEqual([]);
        expect(await rows(`(${judged}) except (${kept})`)).toEqual([]);
        expect(await rows(counted('promotions from marts.fct_promotion_check_daily'))).toEqual(
          await rows(counted('count(*)::int as promotions from marts.fct_promotion_check group by 1, 2, 3, 4, 5')),
        );
        for (const each of regionCodes) {
          await database.db.tx((tx) => forgetDerived(tx, each, '-infinity', [promotionStart]));
        }
        expect(await starts()).toEqual([]);
        for (const each of regionCodes) await derive(each);
        expect(await starts()).toEqual(found);
      }),
      { numRuns: 15 },
    );
  });

  it('of a region stays while those of the other are derived again beside it', async () => {
    await Promise.all(regionCodes.map((region) => derive(region)));
    const of = (region: string) => rows(`${kept} where region = '${region}' order by 1, 2, 3`);
    const uk = await of('uk');
    const ie = await of('ie');
    await Promise.all([
      database.db.tx((tx) => forgetDerived(tx, 'ie', dateOf('40'), [promotionStart])).then(() => derive('ie')),
      of('uk').then((during) => expect(during).toEqual(uk)),
    ]);
    expect([await of('uk'), await of('ie')]).toEqual([uk, ie]);
  });
});
