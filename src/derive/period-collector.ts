import type { Transaction } from '../db/client.ts';
import type { RegionCode } from '../model/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import type { CertifiedNight } from './derivation.ts';
import { indexPeriods, type PeriodIndexing } from './index-periods.ts';
import { packSums, unpackSums } from './packed-panel.ts';
import { addNight, emptySums, type PeriodSums } from './panel.ts';
import { keepPanels, readPanels, type StoredPanel, writePanels } from './panel-store.ts';
import { type Period, periodStart, windowOf } from './period.ts';
import type { RegionNight } from './region-night.ts';

export interface NightsToCollect {
  readonly region: RegionCode;
  readonly period: Period;
  /** All certified nights of the region up to the last that is owed. */
  readonly all: readonly CertifiedNight[];
  /** Those that are owed: the last of `all`. */
  readonly nights: readonly CertifiedNight[];
}

/** Adds nights up to periods, and indexes the periods that owed nights are in. */
export interface PeriodCollector {
  /** Date of the first night it must be given: before the owed ones where packed periods are missing. */
  readonly readFrom: string;
  /** What was packed of a period before the owed nights; undefined where that is missing. */
  packedBefore(start: string): Buffer | undefined;
  add(night: CertifiedNight, state: RegionNight, groups: CategoryGroups): Promise<void>;
  end(): Promise<void>;
}

export async function createPeriodCollector(
  tx: Transaction,
  { region, period, all, nights }: NightsToCollect,
): Promise<PeriodCollector> {
  const firstOwed = nights[0]!.snapshotDate;
  const firstTarget = periodStart(period, firstOwed);
  const window = windowOf[period];
  const starts = [...new Set(all.map(({ snapshotDate }) => periodStart(period, snapshotDate)))];
  const keptStarts = new Set(starts.slice(-window));
  const before = all.filter(({ snapshotDate }) => snapshotDate < firstOwed);
  const needed = neededPeriods(period, before, firstTarget);
  const stored = await readPanels(tx, region, period, firstTarget);
  const missing = needed.filter(({ start, through }) => stored.get(start)?.through !== through);
  const readFrom = missing[0]?.first ?? firstOwed;
  const isRead = (start: string): boolean =>
    stored.get(start)?.through === needed.find((each) => each.start === start)!.through;
  // What of the first target is packed is gone on from, unless nights that are in it are read again.
  const earlier = new Map(
    needed.flatMap(({ start }) =>
      isRead(start) && (start < firstTarget || missing.length === 0) ? [[start, stored.get(start)!]] : [],
    ),
  );
  // Weeks and months are indexed when all nights are read: their windows and that of the days need not be held at once.
  const targets: { readonly start: string; readonly packed: Buffer }[] = [];
  const unsaved: StoredPanel[] = [];
  let context: { readonly productKeys: Int32Array; readonly groups: CategoryGroups } | null = null;
  let indexing: PeriodIndexing | null = null;
  let sums: PeriodSums | null = null;
  let through = '';

  /** The periods before the first target that it is compared with, and itself as far as nights before the owed ones are in it. */
  function neededPeriods(kind: Period, nightsBefore: readonly CertifiedNight[], target: string) {
    const found = new Map<string, { start: string; first: string; through: string }>();
    for (const { snapshotDate } of nightsBefore) {
      const start = periodStart(kind, snapshotDate);
      const first = found.get(start)?.first ?? snapshotDate;
      found.set(start, { start, first, through: snapshotDate });
    }
    const hasTarget = found.has(target);
    return [...found.values()].slice(-(window - 1) - (hasTarget ? 1 : 0));
  }

  async function startIndexing(): Promise<PeriodIndexing> {
    const compared = [...earlier.values()].filter(({ start }) => start < firstTarget).sort(byStart);
    return indexPeriods(tx, { region, period, ...context!, earlier: compared });
  }

  async function close(ended: PeriodSums): Promise<void> {
    const { start } = ended;
    const { productKeys, groups } = context!;
    const isTarget = start >= firstTarget;
    if (isTarget && period === 'day') {
      indexing ??= await startIndexing();
      await indexing.add(ended);
      if (!keptStarts.has(start)) return;
    }
    const panel = { start, through, packed: packSums(ended, productKeys, groups) };
    if (!isTarget) earlier.set(start, panel);
    else if (period !== 'day') targets.push(panel);
    if (keptStarts.has(start)) unsaved.push(panel);
  }

  return {
    readFrom,
    packedBefore: (start) => earlier.get(start)?.packed,
    async add({ snapshotDate }, state, groups) {
      if (snapshotDate < readFrom) return;
      context ??= { productKeys: state.productKeys, groups };
      const start = periodStart(period, snapshotDate);
      if (sums && sums.start !== start) await close(sums);
      if (sums?.start !== start) {
        const begun = start === firstTarget ? earlier.get(start) : undefined;
        sums = begun
          ? unpackSums(start, begun.packed, state.productKeys, groups)
          : emptySums(start, state.productKeys.length);
      }
      addNight(sums, state);
      through = snapshotDate;
    },
    async end() {
      if (sums) await close(sums);
      for (const { start, packed } of targets) {
        indexing ??= await startIndexing();
        await indexing.add(unpackSums(start, packed, context!.productKeys, context!.groups));
      }
      await indexing?.end();
      await writePanels(tx, region, period, unsaved);
      await keepPanels(tx, region, period, [...keptStarts]);
    },
  };
}

const byStart = (a: StoredPanel, b: StoredPanel): number => (a.start < b.start ? -1 : 1);
