import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellsOf } from '../../../src/cli/product/spells.ts';

const night = (no: number, price: string | null) => ({ snapshot_date: `night ${no}`, no, price });
const priceOf = ({ price }: { price: string | null }) => ({ price });

test('nights in a row with one price are one spell; a night that is missing ends it', () => {
  const nights = [night(1, '1.00'), night(2, '1.00'), night(4, '1.00'), night(5, null)];
  expect(spellsOf(nights, priceOf)).toEqual([
    { first_night: 'night 1', last_night: 'night 2', nights: 2, price: '1.00' },
    { first_night: 'night 4', last_night: 'night 4', nights: 1, price: '1.00' },
    { first_night: 'night 5', last_night: 'night 5', nights: 1, price: null },
  ]);
});

test('spells laid out again are the nights they came from, and no two that touch are equal', () => {
  const prices = fc.array(fc.option(fc.constantFrom('1.00', '2.00'), { freq: 4 }), { maxLength: 40 });
  fc.assert(
    fc.property(prices, fc.subarray(Array.from({ length: 40 }, (_, i) => i)), (drawn, kept) => {
      const nights = drawn.map((price, no) => night(no, price)).filter(({ no }) => kept.includes(no));
      const spells = spellsOf(nights, priceOf);
      const laidOut = spells.flatMap((spell) => Array.from({ length: spell.nights }, () => spell.price));
      expect(laidOut).toEqual(nights.map(({ price }) => price));
      for (const [i, spell] of spells.entries()) {
        const next = spells[i + 1];
        const last = nights.find(({ snapshot_date }) => snapshot_date === spell.last_night)!;
        const touches =
          next && nights.find(({ snapshot_date }) => snapshot_date === next.first_night)!.no === last.no + 1;
        if (touches) expect(next.price).not.toBe(spell.price);
      }
    }),
  );
});
