import type { CategoryGroups } from './category-groups.ts';
import { certifiedNights } from './certified-nights.ts';
import { dailyColumns, dailyRows } from './daily-figure-rows.ts';
import type { PricedProducts } from './daily-figures.ts';
import type { Derivation } from './derivation.ts';
import { createNightCounter, type NightCounter } from './night-counter.ts';
import { unpackSums } from './packed-panel.ts';
import { forgetPanels } from './panel-store.ts';
import { periodStart, periods } from './period.ts';
import { createPeriodCollector, type PeriodCollector } from './period-collector.ts';
import { createStepWriter } from './price-steps.ts';
import { unknown } from './region-night.ts';
import { walkNights } from './walk-nights.ts';
import { copyRows } from './write-figures.ts';

/**
 * Daily figures, price steps and price indices, of the region and of every category. A night is read once for all of them; the periods that
 * an index compares it with are read as they were packed.
 */
export const nightlyFigures: Derivation = {
  name: 'nightly-figures',

  async forget(tx, region, from) {
    await tx.query('delete from derived.daily_figure where region = $1 and snapshot_date >= $2', [region, from]);
    await tx.query('delete from derived.price_step where region = $1 and snapshot_date >= $2', [region, from]);
    await tx.query('delete from derived.price_move where region = $1 and until >= $2', [region, from]);
    for (const period of periods) {
      await tx.query('delete from derived.price_index where region = $1 and period = $2 and period_start >= $3', [
        region,
        period,
        periodStart(period, from),
      ]);
    }
    await forgetPanels(tx, region, from);
  },

  async derive(tx, { region, nights, before }, signal) {
    const firstOwed = nights[0]!.snapshotDate;
    const last = nights.at(-1)!.snapshotDate;
    const all = (await certifiedNights(tx, region)).filter(({ snapshotDate }) => snapshotDate <= last);
    const collectors: PeriodCollector[] = [];
    for (const period of periods) collectors.push(await createPeriodCollector(tx, { region, period, all, nights }));

    // Where packed periods are missing, nights before those that are owed are read again, and only added up.
    const from = collectors.map(({ readFrom }) => readFrom).sort()[0]!;
    const walk = await walkNights(
      tx,
      region,
      all.filter(({ snapshotDate }) => snapshotDate >= from),
    );
    const stepWriter = await createStepWriter(tx, region, firstOwed);
    let counter: NightCounter | null = null;
    for await (const walked of walk.nights()) {
      signal?.throwIfAborted();
      const { night, state, changed } = walked;
      const { snapshotDate } = night;
      if (snapshotDate >= firstOwed) {
        const isFirst = counter === null;
        if (!counter) {
          const packed = before && collectors[periods.indexOf('day')]!.packedBefore(before.snapshotDate)!;
          counter = createNightCounter(
            walk.groups,
            packed && pricedThen(before.snapshotDate, packed, state.productKeys, walk.groups),
          );
        }
        const { figures, steps } = counter.count(state, isFirst ? null : changed);
        const hasBefore = before !== null || !isFirst;
        await copyRows(
          tx,
          'daily_figure',
          dailyColumns,
          dailyRows(region, snapshotDate, figures, walk.groups, hasBefore),
        );
        await stepWriter.add(snapshotDate, steps);
      }
      for (const collector of collectors) await collector.add(walked, walk.groups);
    }
    for (const collector of collectors) await collector.end();
    await stepWriter.renewMoves(last);
  },
};

/** The night before, from its packed day. */
function pricedThen(date: string, packed: Buffer, productKeys: Int32Array, groups: CategoryGroups): PricedProducts {
  const { nights, sum, group } = unpackSums(date, packed, productKeys, groups);
  return { price: Int32Array.from(nights, (count, i) => (count === 0 ? unknown : sum.shelf[i]!)), group };
}
