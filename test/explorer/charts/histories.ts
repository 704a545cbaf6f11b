import fc from 'fast-check';
import { type Day, dateOf, dayOf } from '../../../src/web/charts/days.ts';
import type { ChartNights, Spell } from '../../../src/web/charts/steps.ts';

/** Number of generated histories; `HISTORIES=10000 npx vitest run test/explorer/charts` tries more. */
export const numRuns = Number(process.env['HISTORIES'] ?? 300);

const firstDay = dayOf('2026-01-01');

/** Nights and what was seen on each: whether it is certified, and a value, null where the product was not listed. */
export interface History<Value> {
  readonly nights: readonly { readonly day: Day; readonly isCertified: boolean; readonly value: Value | null }[];
  readonly chart: ChartNights;
  readonly spells: readonly Spell<Value>[];
}

/** Histories with gaps: nights without a certificate, nights without the product, values that stay or change. */
export function histories<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<History<Value>> {
  const night = fc.record({
    isCertified: fc.boolean(),
    // 0: unchanged; repeated values could tempt a chart to bridge a gap.
    change: fc.option(fc.constantFrom(0, 0, 0, 1, 2), { nil: null }),
    value: fc.option(value, { nil: null, freq: 3 }),
  });
  return fc.array(night, { minLength: 1, maxLength: 60 }).map((given) => {
    let current: Value | null = null;
    const nights = given.map(({ isCertified, change, value: next }, i) => {
      if (change !== 0 || i === 0) current = next;
      return { day: firstDay + i, isCertified, value: current };
    });
    return {
      nights,
      chart: {
        first: dateOf(nights[0]!.day),
        last: dateOf(nights.at(-1)!.day),
        certified: new Set(nights.filter((one) => one.isCertified).map(({ day }) => dateOf(day))),
      },
      spells: spellsOf(nights),
    };
  });
}

/** As the marts tell it: a row a stretch of nights with one value, the last one open, none while it is not listed. */
function spellsOf<Value>(nights: readonly { day: Day; value: Value | null }[]): Spell<Value>[] {
  const spells: Spell<Value>[] = [];
  nights.forEach(({ day, value }, i) => {
    const before = i === 0 ? undefined : nights[i - 1]!.value;
    if (before === value) return;
    const last = spells.at(-1);
    if (last && last.to === null) spells[spells.length - 1] = { ...last, to: dateOf(day) };
    if (value !== null) spells.push({ from: dateOf(day), to: null, value });
  });
  return spells;
}
