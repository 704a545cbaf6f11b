import type { Transaction } from '../db/client.ts';
import type { RegionCode } from '../model/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import { createDayPanels, type DayPanels } from './day-panels.ts';
import type { CertifiedNight } from './derivation.ts';
import { indexPeriods, type PeriodIndexing } from './index-periods.ts';
import { inflateAhead } from './packed-columns.ts';
import { packSums, unpackSums } from './packed-panel.ts';
import { emptySums, type PeriodSums, panelOf } from './panel.ts';
import { keepPanels, readPanels, type StoredPanel, writePanel } from './panel-store.ts';
import { type Period, periodStart, windowOf } from './period.ts';
import { createPeriodAdder, type PeriodAdder } from './period-adder.ts';
import type { WalkedNight } from './walk-nights.ts';

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
  add(walked: WalkedNight, groups: CategoryGroups): Promise<void>;
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
  for (const { packed } of earlier.values()) inflateAhead(packed);
  const unsaved: PackingPeriod[] = [];
  let context: { readonly productKeys: Int32Array; readonly groups: CategoryGroups } | null = null;
  let indexing: PeriodIndexing | null = null;
  let days: DayPanels | null = null;
  // Weeks and months are indexed when all nights are read: their windows and that of the days need not be held at once.
  const targets: { readonly start: string; sums(): Promise<PeriodSums> }[] = [];
  let current: { readonly start: string; readonly adder: PeriodAdder } | null = null;
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
    const begun = earlier.get(firstTarget);
    const derivedOn = nights.at(-1)!.snapshotDate;
    return indexPeriods(tx, { region, period, derivedOn, ...context!, earlier: compared, begun });
  }

  /** Packs a period beside what comes next; waited for where it is needed, which is where a failure is told, too. */
  async function keep(ended: PeriodSums): Promise<PackingPeriod> {
    const { start } = ended;
    const packing = { start, through, packed: packSums(ended, context!.productKeys, context!.groups) };
    packing.packed.catch(() => undefined);
    if (keptStarts.has(start)) unsaved.push(packing);
    if (start < firstTarget)
      earlier.set(start, { ...packing, packed: await packing.packed, figures: null, comparisons: null });
    return packing;
  }

  async function addDay({ night: { snapshotDate: start }, state, changed }: WalkedNight): Promise<void> {
    through = start;
    const sumsOfNight = (): PeriodSums => {
      const adder = createPeriodAdder(emptySums(start, state.productKeys.length));
      adder.add(state, null);
      return adder.sums();
    };
    if (start >= firstTarget) {
      indexing ??= await startIndexing();
      // Of the nights before this nothing is known.
      const since = days ? changed : null;
      days ??= createDayPanels(context!.groups);
      await indexing.add({ panel: days.next(start, state, since), changed: since, sums: sumsOfNight });
    }
    if (start < firstTarget || keptStarts.has(start)) await keep(sumsOfNight());
  }

  async function addToLonger({ night: { snapshotDate }, state, changed }: WalkedNight): Promise<void> {
    const start = periodStart(period, snapshotDate);
    const { productKeys, groups } = context!;
    if (current?.start === start) current.adder.add(state, changed);
    else {
      if (current) {
        const { start: ended, adder } = current;
        const { packed } = await keep(adder.sums());
        if (ended >= firstTarget)
          targets.push({ start: ended, sums: async () => unpackSums(ended, await packed, productKeys, groups) });
      }
      const begun = start === firstTarget ? earlier.get(start) : undefined;
      const sums = begun ? unpackSums(start, begun.packed, productKeys, groups) : emptySums(start, productKeys.length);
      current = { start, adder: createPeriodAdder(sums) };
      current.adder.add(state, null);
    }
    through = snapshotDate;
  }

  return {
    readFrom,
    packedBefore: (start) => earlier.get(start)?.packed,
    async add(walked, groups) {
      if (walked.night.snapshotDate < readFrom) return;
      context ??= { productKeys: walked.state.productKeys, groups };
      if (period === 'day') await addDay(walked);
      else await addToLonger(walked);
    },
    async end() {
      if (current) {
        const last = current.adder.sums();
        await keep(last);
        if (last.start >= firstTarget) targets.push({ start: last.start, sums: async () => last });
      }
      for (const target of targets) {
        indexing ??= await startIndexing();
        const sums = await target.sums();
        await indexing.add({ panel: panelOf(sums, context!.groups), changed: null, sums: () => sums });
      }
      for (const { packed, ...kept } of unsaved)
        await writePanel(tx, region, period, { ...kept, packed: await packed });
      await indexing?.end();
      await keepPanels(tx, region, period, [...keptStarts]);
    },
  };
}

interface PackingPeriod extends Pick<StoredPanel, 'start' | 'through'> {
  readonly packed: Promise<Buffer>;
}

const byStart = (a: StoredPanel, b: StoredPanel): number => (a.start < b.start ? -1 : 1);
