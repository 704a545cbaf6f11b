import type { Transaction } from '../db/client.ts';
import type { RegionCode } from '../model/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import { readPublished, writePeriods, writeRevisions } from './index-rows.ts';
import type { IndexedPeriod } from './indexed-period.ts';
import { packSums, unpackSums } from './packed-panel.ts';
import { packComparisons, packFigures } from './packed-window.ts';
import { type Panel, type PeriodSums, panelOf } from './panel.ts';
import { readBases, type StoredPanel, writeBases, writeFigures } from './panel-store.ts';
import { type Period, windowOf } from './period.ts';
import { createPriceIndexer } from './price-index.ts';
import { stateOf } from './stored-window.ts';

export interface PeriodsToIndex {
  readonly region: RegionCode;
  readonly period: Period;
  /** The last night of the derivation. */
  readonly derivedOn: string;
  readonly groups: CategoryGroups;
  readonly productKeys: Int32Array;
  /** Periods before them, the earliest first: those the first of them is compared with. */
  readonly earlier: readonly StoredPanel[];
  /** The first of them as far as it was known before. */
  readonly begun: StoredPanel | undefined;
}

export interface PeriodToIndex {
  readonly panel: Panel;
  /** Where it may differ from the panel before; null: anywhere. */
  readonly changed: Int32Array | null;
  sums(): PeriodSums;
}

export interface PeriodIndexing {
  /** Computes the next period. */
  add(period: PeriodToIndex): Promise<void>;
  /** Writes what was computed and not written yet. The panels are kept already. */
  end(): Promise<void>;
}

/** Periods written at once. Those of the window stay behind: they may still be revised. */
const periodsAtOnce = 40;

/** Indexes periods one after the other, going on from what was published of those before them. */
export async function indexPeriods(
  tx: Transaction,
  { region, period, derivedOn, groups, productKeys, earlier, begun }: PeriodsToIndex,
): Promise<PeriodIndexing> {
  const window = windowOf[period];
  const written = { region, period, derivedOn };
  const panelFrom = (start: string, packed: Buffer): Panel =>
    panelOf(unpackSums(start, packed, productKeys, groups), groups);
  const starts = earlier.map(({ start }) => start);
  const published = await readPublished(tx, region, period, starts, groups);
  const from = stateOf({ earlier, begun, published, groups, productKeys });
  const known = from
    ? []
    : earlier.map(({ start, packed }) => ({ panel: panelFrom(start, packed), published: published.get(start)! }));
  const basesInUse = new Set(
    [...published.values()].flatMap(({ baseStart }) => baseStart.filter((each) => each !== '')),
  );
  const kept = await readBases(tx, region, period, [...basesInUse]);
  const added = new Map<string, Buffer>();
  const basePanels = new Map<string, Panel>();
  const indexer = createPriceIndexer({
    window,
    groups,
    earlier: known,
    ...(from && { from }),
    basePanel(start) {
      const panel = basePanels.get(start) ?? panelFrom(start, added.get(start) ?? kept.get(start)!);
      basePanels.set(start, panel);
      return panel;
    },
  });
  const unwritten: IndexedPeriod[] = [];

  return {
    async add({ panel, changed, sums }) {
      const indexed = indexer.push(panel, changed);
      const base = await baseOf(indexed, sums);
      if (base) added.set(panel.start, base);
      unwritten.push(indexed);
      if (unwritten.length >= window + periodsAtOnce)
        await writePeriods(tx, written, unwritten.splice(0, periodsAtOnce), groups);
    },
    async end() {
      await writePeriods(tx, written, unwritten, groups);
      const revised = [...published.values()].filter((each) => indexer.revised.has(each));
      await writeRevisions(tx, written, revised, groups);
      await writeBases(tx, region, period, added);
      await writeState();
    },
  };

  async function writeState(): Promise<void> {
    const { periods, comparisons } = indexer.state()!;
    const isKept = new Set(from ? starts : []);
    const figures = new Map<string, Buffer>();
    for (const { period, since } of periods)
      if (!isKept.has(period.start)) figures.set(period.start, await packFigures({ ...period, since }, groups));
    const packed = await packComparisons(comparisons.sums, groups);
    await writeFigures(tx, region, period, figures, { start: comparisons.latest.start, comparisons: packed });
  }

  /** The products of the categories whose base the period is; null when there are none. */
  async function baseOf({ start, baseStart }: IndexedPeriod, sums: () => PeriodSums): Promise<Buffer | null> {
    const categories = new Set(baseStart.flatMap((base, c) => (base === start ? [c] : [])));
    if (categories.size === 0) return null;
    const isOfThem = (group: number) => groups.members(group).some((c) => categories.has(c));
    return packSums(sums(), productKeys, groups, isOfThem);
  }
}
