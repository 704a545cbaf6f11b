import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedProduct, Promotion } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releasePartial } from '../../src/publish/release.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed, promoted } from '../support/open-run.ts';

const sight = fc.record({
  product: fc.integer({ min: 1, max: 4 }),
  price: fc.constantFrom(100, 120, null),
  isForSale: fc.boolean(),
  loyalty: fc.constantFrom(null, null, 90, 80),
});
const page = fc.uniqueArray(sight, { selector: ({ product }) => product, maxLength: 4 });
const night = fc.record({
  /** One or two runs of a date; the last one is the night. */
  pages: fc.array(page, { minLength: 1, maxLength: 2 }),
  isCertified: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  isReleased: fc.boolean(),
});

/** Values of a product on a night. */
interface State {
  readonly value: string;
  readonly isListed: boolean;
}

describe('spells of any nights, partial ones and some crawled more than once among them', () => {
  const database = useDatabase();
  const ask = <Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
    rowsOf<Row>(database.db, text, values);

  it('spells reproduce every night with a minimum of rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 2, maxLength: 4 }), async (story) => {
        await forgetEverything(database.db, 'restart');
        const dates: string[] = [];
        for (const [index, { pages, isCertified, isReleased }] of story.entries()) {
          const date = `2026-03-${String(index + 27).padStart(2, '0')}`;
          dates.push(date);
          let run = 0;
          for (const shown of pages) run = await publishOnePage(database.db, date, shown.map(listedOf), isCertified);
          if (isReleased && !isCertified) await database.db.tx((tx) => releasePartial(tx, { runId: run, why: 'seen' }));
        }
        const [prices, states] = [await nightsOfPrices(dates), await nightsOfStates(dates)];
        expect(await pricesInSpells()).toEqual(spellsOf(prices, dates));
        expect(await statesInSpells()).toEqual(spellsOf(states, dates));
      }),
      { numRuns: 8 },
    );
  });

  const nightsOfPrices = async (dates: readonly string[]) => {
    const found = new Map<string, Map<string, State>>();
    for (const date of dates) {
      const rows = await ask<{ product_id: string; value: string }>(
        // A price shown for a product not for sale is not an offer: spells continue with the last one.
        `select night.product_id,
           concat_ws(' ', (offered.price_minor * 0.01)::numeric(12, 2), trim_scale(offered.unit_price),
           offered.unit_of_measure, 'loyal', night.loyalty_price) as value
         from marts.as_of('uk', $1) night
         join (select max(observed_at) as observed_at from ops.run where snapshot_date = $1) as r on true
         join catalog.price_spell offered on offered.product_key = night.product_key
           and offered.valid_from <= r.observed_at and (offered.valid_to is null or offered.valid_to > r.observed_at)`,
        [date],
      );
      for (const { product_id, value } of rows) put(found, product_id, date, { value, isListed: true });
    }
    return found;
  };

  const pricesInSpells = () =>
    ask(
      `select product_id,
         concat_ws(' ', price, trim_scale(unit_price), unit_of_measure, 'loyal', loyalty_price) as value, valid_from,
         valid_to
       from marts.fct_price_spell order by product_id, valid_from`,
    );

  const nightsOfStates = async (dates: readonly string[]) => {
    const found = new Map<string, Map<string, State>>();
    for (const date of dates) {
      const rows = await ask<{ product_id: string; value: string }>(
        `select p.product_id, h.availability::text as value
         from (select max(observed_at) as observed_at from ops.run where snapshot_date = $1) as r
         join catalog.availability_spell h
           on h.valid_from <= r.observed_at and (h.valid_to is null or h.valid_to > r.observed_at)
         join catalog.product p using (product_key)`,
        [date],
      );
      for (const { product_id, value } of rows) {
        put(found, product_id, date, { value, isListed: value === 'available' || value === 'unavailable' });
      }
    }
    return found;
  };

  const statesInSpells = () =>
    ask(
      `select product_id, availability as value, valid_from, valid_to
       from marts.fct_availability_spell
       order by product_id, valid_from`,
    );
});

const put = (nights: Map<string, Map<string, State>>, productId: string, date: string, state: State) =>
  nights.set(productId, (nights.get(productId) ?? new Map()).set(date, state));

/** The naive way: night by night, a row for each stretch of equal values. */
function spellsOf(nights: ReadonlyMap<string, ReadonlyMap<string, State>>, dates: readonly string[]) {
  const found: { product_id: string; value: string; valid_from: string; valid_to: string | null }[] = [];
  for (const [productId, states] of [...nights].sort()) {
    let before: string | undefined;
    for (const date of dates) {
      const value = states.get(date)?.value;
      if (value === before) continue;
      if (before !== undefined) found.at(-1)!.valid_to = date;
      if (value !== undefined) found.push({ product_id: productId, value, valid_from: date, valid_to: null });
      before = value;
    }
  }
  return found;
}

function listedOf({
  product,
  price,
  isForSale,
  loyalty,
}: {
  product: number;
  price: number | null;
  isForSale: boolean;
  loyalty: number | null;
}): ListedProduct {
  const promotions = loyalty === null ? [] : [loyaltyPrice(loyalty)];
  return listed(String(product), {
    priceMinor: price,
    unitPrice: price === null ? null : `${price / 100}`,
    isForSale,
    promotions,
  });
}

function loyaltyPrice(loyaltyPriceMinor: number): Promotion {
  return promoted({ description: `${loyaltyPriceMinor}p Clubcard Price`, kind: 'loyalty_price', loyaltyPriceMinor });
}
