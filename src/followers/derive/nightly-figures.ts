import { certifiedNights } from './certified-nights.ts';
import { writeDailyFigures } from './daily-figures.ts';
import type { Derivation } from './derivation.ts';
import { type Panel, panelOfNight } from './price-index/panel.ts';
import { periodStart, periods } from './price-index/period.ts';
import { createPeriodIndex, type PeriodIndex } from './price-index/period-index.ts';
import { forgetPanels, readPanels } from './price-index/period-panels.ts';
import { createQuantityAdjustment, readPackChanges } from './price-index/quantity-adjustment.ts';
import { renewPriceMoves, writePriceSteps } from './price-steps.ts';
import { walkNights } from './walk-nights.ts';

/**
 * Daily figures, price steps and price indices of the region and all categories. Each night is read once for all of
 * them. Depends on pack changes.
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
    const indices: PeriodIndex[] = [];
    for (const period of periods) indices.push(await createPeriodIndex(tx, { region, period, all, firstOwed }));

    // If panels are missing, earlier nights are read again to rebuild them.
    const from = indices.map(({ readFrom }) => readFrom).sort()[0]!;
    const toRead = all.filter(({ snapshotDate }) => snapshotDate >= from);
    const { groups, nights: walked } = await walkNights(tx, region, toRead);
    const adjust = createQuantityAdjustment(await readPackChanges(tx, region, last));
    let panelBefore: Panel | null = null;
    if (before && from === firstOwed) {
      const starts = [before.snapshotDate];
      const kept = await readPanels(
        tx,
        { region, period: 'day', groups },
        { starts, column: 'panel' },
        (_, read) => read,
      );
      panelBefore = kept[0]!;
    }
    for await (const { night, state } of walked()) {
      signal?.throwIfAborted();
      const { snapshotDate: date } = night;
      const panel = adjust(date, panelOfNight(state));
      if (date >= firstOwed) {
        await writeDailyFigures(tx, { region, date, state, panel, before: panelBefore }, groups);
        await writePriceSteps(tx, region, date, { panel, before: panelBefore });
      }
      for (const index of indices) await index.add(date, panel, groups);
      panelBefore = panel;
    }
    for (const index of indices) await index.end();
    await renewPriceMoves(tx, region, last);
  },
};
