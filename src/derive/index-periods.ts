import type { Transaction } from '../db/client.ts';
import type { RegionCode } from '../model/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import { readPublished, writePeriods, writeRevisions } from './index-rows.ts';
import { packSums, unpackSums } from './packed-panel.ts';
import { type Panel, type PeriodSums, panelOf } from './panel.ts';
import { readBases, writeBases } from './panel-store.ts';
import { type Period, windowOf } from './period.ts';
import { createPriceIndexer, type IndexedPeriod, type Published } from './price-index.ts';

export interface PeriodsToIndex {
  readonly region: RegionCode;
  readonly period: Period;
  readonly groups: CategoryGroups;
  readonly productKeys: Int32Array;
  /** Periods before them, packed, the earliest first: those the first of them is compared with. */
  readonly earlier: readonly { readonly start: string; readonly packed: Buffer }[];
}

export interface PeriodIndexing {
  /** Computes the next period. */
  add(sums: PeriodSums): Promise<void>;
  /** Writes what was computed and not written yet. */
  end(): Promise<void>;
}

/** Periods written at once. Those of the window stay behind: they may still be revised. */
const periodsAtOnce = 40;

/** Indexes periods one after the other, going on from what was published of those before them. */
export async function indexPeriods(
  tx: Transaction,
  { region, period, groups, productKeys, earlier }: PeriodsToIndex,
): Promise<PeriodIndexing> {
  const window = windowOf[period];
  const panelFrom = (start: string, packed: Buffer): Panel =>
    panelOf(unpackSums(start, packed, productKeys, groups), groups);
  const known: { readonly panel: Panel; readonly published: Published }[] = [];
  for (const { start, packed } of earlier) {
    known.push({ panel: panelFrom(start, packed), published: await readPublished(tx, region, period, start, groups) });
  }
  const basesInUse = new Set(known.flatMap(({ published }) => published.baseStart.filter((start) => start !== '')));
  const kept = await readBases(tx, region, period, [...basesInUse]);
  const added = new Map<string, Buffer>();
  const basePanels = new Map<string, Panel>();
  const indexer = createPriceIndexer({
    window,
    groups,
    earlier: known,
    basePanel(start) {
      const panel = basePanels.get(start) ?? panelFrom(start, added.get(start) ?? kept.get(start)!);
      basePanels.set(start, panel);
      return panel;
    },
  });
  const unwritten: IndexedPeriod[] = [];

  return {
    async add(sums) {
      const indexed = indexer.push(panelOf(sums, groups));
      const base = baseOf(sums, indexed);
      if (base) added.set(sums.start, base);
      unwritten.push(indexed);
      if (unwritten.length >= window + periodsAtOnce)
        await writePeriods(tx, region, period, unwritten.splice(0, periodsAtOnce), groups);
    },
    async end() {
      await writePeriods(tx, region, period, unwritten, groups);
      const revised = known.map(({ published }) => published).filter((published) => indexer.revised.has(published));
      await writeRevisions(tx, region, period, revised, groups);
      await writeBases(tx, region, period, added);
    },
  };

  /** The products of the categories whose base the period is; null when there are none. */
  function baseOf(sums: PeriodSums, { start, baseStart }: IndexedPeriod): Buffer | null {
    const categories = new Set(baseStart.flatMap((base, c) => (base === start ? [c] : [])));
    if (categories.size === 0) return null;
    const isOfThem = (group: number) => groups.members(group).some((c) => categories.has(c));
    return packSums(sums, productKeys, groups, isOfThem);
  }
}
