import { writeDailyFigures, writePriceSteps } from './daily-figures.ts';
import type { CertifiedNight, Derivation } from './derivation.ts';
import { certifiedNights } from './owed-nights.ts';
import { type Panel, panelOfNight } from './price-index/panel.ts';
import { periods } from './price-index/period.ts';
import { indexNight } from './price-index/period-index.ts';
import { readPanels } from './price-index/period-panels.ts';
import { adjustQuantities, readPackChanges } from './price-index/quantity-adjustment.ts';
import { type RegionNight, readCategoryGroups, readNight } from './read-night.ts';

/**
 * Daily figures, price steps and price indices of the region and all categories. Each night is read once for all of
 * them. Depends on pack changes.
 */
export const nightlyFigures: Derivation = {
  async forget(tx, region, from) {
    await tx.query('delete from derived.daily_figure where region = $1 and snapshot_date >= $2', [region, from]);
    await tx.query('delete from derived.price_step where region = $1 and snapshot_date >= $2', [region, from]);
    for (const table of ['price_index', 'index_part'])
      await tx.query(
        `delete from derived.${table} where region = $1 and period_start >= date_trunc(period, $2::date::timestamp)`,
        [region, from],
      );
    await tx.query('delete from derived.period_panel where region = $1 and through_date >= $2', [region, from]);
  },

  async derive(tx, { region, nights, before: nightBefore }, signal) {
    const all = await certifiedNights(tx, region);
    const groups = await readCategoryGroups(tx, region);
    const changes = await readPackChanges(tx, region, nights.at(-1)!.snapshotDate);
    const read = (night: CertifiedNight) => readNight(tx, region, night.observedAt, groups);
    const panelOf = ({ snapshotDate }: CertifiedNight, state: RegionNight) =>
      adjustQuantities(changes, snapshotDate, panelOfNight(state));
    /** Panel of an earlier night: kept, or read again. */
    const panelAgain = async (night: CertifiedNight): Promise<Panel> => {
      const day = { region, period: 'day', groups } as const;
      const [kept] = await readPanels(tx, day, [night.snapshotDate], (_, panel) => panel);
      return kept ?? panelOf(night, await read(night));
    };

    let before = nightBefore && (await panelAgain(nightBefore));
    for (const night of nights) {
      signal?.throwIfAborted();
      const { snapshotDate: date } = night;
      const state = await read(night);
      const panel = panelOf(night, state);
      const counted = { region, date, state, panel, before };
      await writeDailyFigures(tx, counted, groups);
      await writePriceSteps(tx, counted);
      const known = all.filter(({ snapshotDate }) => snapshotDate <= date);
      for (const period of periods)
        await indexNight(tx, { region, period, groups }, { nights: known, panel, panelAgain });
      before = panel;
    }
  },
};
