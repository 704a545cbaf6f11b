import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import type { CategoryGroups } from '../category-groups.ts';
import type { CertifiedNight } from '../derivation.ts';
import { type Comparison, comparePrices, type LogPrices, logPricesOf } from './compare-prices.ts';
import { type IndexOf, readPublished, writePeriods, writeRevisions } from './index-rows.ts';
import { addNight, ofBases, type Panel, productsIn, totalsOf } from './panel.ts';
import { type Period, periodStart, windowOf } from './period.ts';
import { keptPanels, readLinks, readPanels, trimPanels, writePanel } from './period-panels.ts';
import {
  chainPeriod,
  compareWithBase,
  computeGeks,
  type IndexedPeriod,
  type PeriodToIndex,
  type Published,
  type WindowPeriod,
} from './price-index.ts';

interface NightsToIndex {
  readonly region: RegionCode;
  readonly period: Period;
  /** All certified nights of the region up to the last night to derive. */
  readonly all: readonly CertifiedNight[];
  readonly firstOwed: string;
}

/** Aggregates nights to periods and computes the indices of periods with nights to derive. */
export interface PeriodIndex {
  /** Date of the first night needed: earlier than the nights to derive if panels of the window are missing. */
  readonly readFrom: string;
  add(date: string, night: Panel, groups: CategoryGroups): Promise<void>;
  /** Computes the last period. */
  end(): Promise<void>;
}

export async function createPeriodIndex(
  tx: Transaction,
  { region, period, all, firstOwed }: NightsToIndex,
): Promise<PeriodIndex> {
  const firstTarget = periodStart(period, firstOwed);
  const derivedOn = all.at(-1)!.snapshotDate;
  const nightsIn = new Map<string, number>();
  for (const { snapshotDate } of all) {
    const start = periodStart(period, snapshotDate);
    nightsIn.set(start, (nightsIn.get(start) ?? 0) + 1);
  }
  const known = knownPeriods(period, all, firstOwed);
  const kept = await keptPanels(tx, { region, period });
  const missing = known.find(({ start, through }) => kept.get(start) !== through);
  const readFrom = missing?.first ?? firstOwed;
  const isBegun = !missing && known.at(-1)?.start === firstTarget;
  let current: { readonly start: string; readonly panel: Panel; readonly through: string } | null = null;
  let window: WindowPeriod[] | null = null;
  let index: IndexOf;
  const starts = [...nightsIn.keys()].sort();
  const lastStart = starts.at(-1)!;
  /** First period of the window that the next derivation reads. */
  const keptFrom = starts.slice(-windowOf[period])[0]!;
  /**
   * Days that later nights of this derivation are compared with: read from the database, they would take most of its
   * time. Weeks and months are compared so rarely that they are not worth the memory.
   */
  const recent = new Map<string, LogPrices>();
  /** Periods of the window that are computed or revised and not written yet: later nights may revise them again. */
  const computed = new Map<WindowPeriod, IndexedPeriod>();
  const revised = new Set<WindowPeriod>();

  return {
    readFrom,
    async add(date, night, groups) {
      if (date < readFrom) return;
      index ??= { region, period, groups };
      const start = periodStart(period, date);
      if (current && current.start !== start) await finish(current);
      const soFar: Panel | null = current?.start === start ? current.panel : await begun(start);
      current = { start, panel: soFar ? addNight(soFar, night) : night, through: date };
    },
    async end() {
      if (!current) return;
      await finish(current);
      await write(window!);
      await trimPanels(tx, index, window![0]!.start);
    },
  };

  /** Panel of the first period's earlier nights; null if there are none. */
  async function begun(start: string): Promise<Panel | null> {
    if (!isBegun || start !== firstTarget) return null;
    const [panel] = await readPanels(tx, index, { starts: [start], column: 'panel' }, (_, read) => read);
    return panel!;
  }

  async function finish({ start, panel, through }: NonNullable<typeof current>): Promise<void> {
    window ??= await readWindow(start);
    await write(window.slice(0, 1 - windowOf[period]));
    window = window.slice(1 - windowOf[period]);
    const prices = logPricesOf(panel);
    const comparisons = await compareWith(
      window.map((earlier) => earlier.start),
      prices,
    );
    if (period === 'day' && start !== lastStart) recent.set(start, prices);
    const since = new Map(
      [...comparisons].map(([earlier, comparison]) => [earlier, ofBases((basis) => comparison[basis].logJevons)]),
    );
    const indexed = start < firstTarget ? null : await indexPeriod({ start, panel, prices, comparisons, since });
    const published = { ...(indexed ?? (await publishedOf(start))), since };
    if (indexed) computed.set(published, indexed);
    const basePanel = indexed && basePanelOf(published, panel);
    // Nothing reads a panel that has left the window when this derivation ends.
    if (period !== 'day' || start >= keptFrom || basePanel)
      await writePanel(tx, index, { start, through, panel, basePanel, since });
    window.push(published);
  }

  /** Compares a period with earlier ones, by their starts. */
  async function compareWith(starts: readonly string[], prices: LogPrices): Promise<Map<string, Comparison>> {
    const compared = new Map<string, Comparison>();
    const compare = (start: string, earlier: LogPrices): void => {
      compared.set(start, comparePrices(earlier, prices, index.groups));
    };
    for (const [start, earlier] of recent) {
      if (starts.includes(start)) compare(start, earlier);
      else recent.delete(start);
    }
    const stored = starts.filter((start) => !recent.has(start));
    await readPanels(tx, index, { starts: stored, column: 'panel' }, (start, read) =>
      compare(start, logPricesOf(read)),
    );
    return compared;
  }

  async function indexPeriod({ start, panel, prices, comparisons, since }: ComparedPeriod): Promise<IndexedPeriod> {
    const totals = totalsOf(panel, index.groups);
    const indexed = chainPeriod({ start, totals, window: window!, comparisons });
    for (const earlier of computeGeks([...window!, { ...indexed, since }])) revised.add(earlier);
    compareWithBase(indexed, totals, { start, totals, comparison: null });
    const starts = [...new Set(indexed.baseStart)].filter((base) => base !== '' && base !== start);
    await readPanels(tx, index, { starts, column: 'base_panel' }, (base, read) => {
      const comparison = comparePrices(logPricesOf(read), prices, index.groups);
      compareWithBase(indexed, totals, { start: base, totals: totalsOf(read, index.groups), comparison });
    });
    return indexed;
  }

  async function write(periods: readonly WindowPeriod[]): Promise<void> {
    const added = periods.flatMap((each) => computed.get(each) ?? []);
    const changed = periods.filter((each) => revised.delete(each) && !computed.has(each));
    for (const each of periods) computed.delete(each);
    if (added.length > 0) await writePeriods(tx, index, added, { nightsIn, derivedOn });
    if (changed.length > 0) await writeRevisions(tx, index, changed, derivedOn);
  }

  /** Products of categories whose base is this period; null: none. */
  function basePanelOf({ start, baseStart }: Published, panel: Panel): Panel | null {
    const categories = new Set(baseStart.flatMap((base, c) => (base === start ? [c] : [])));
    return categories.size === 0 ? null : productsIn(panel, categories, index.groups);
  }

  async function readWindow(until: string): Promise<WindowPeriod[]> {
    const starts = known.map(({ start }) => start).filter((start) => start < until);
    const links = await readLinks(tx, index, starts);
    const published = await readPublished(tx, index, starts);
    return published.map((each) => ({ ...each, since: links.get(each.start)! }));
  }

  async function publishedOf(start: string): Promise<Published> {
    const [published] = await readPublished(tx, index, [start]);
    return published!;
  }
}

interface ComparedPeriod extends Pick<PeriodToIndex, 'start' | 'comparisons'>, Pick<WindowPeriod, 'since'> {
  readonly panel: Panel;
  readonly prices: LogPrices;
}

interface KnownPeriod {
  readonly start: string;
  /** Dates of the first and last night. */
  readonly first: string;
  readonly through: string;
}

/**
 * Periods of earlier nights within the comparison window of the first night to derive. The last of them is that night's
 * own period if some of its nights are derived already.
 */
function knownPeriods(period: Period, all: readonly CertifiedNight[], firstOwed: string): KnownPeriod[] {
  const known = new Map<string, KnownPeriod>();
  for (const { snapshotDate: date } of all) {
    if (date >= firstOwed) break;
    const start = periodStart(period, date);
    known.set(start, { start, first: known.get(start)?.first ?? date, through: date });
  }
  const isBegun = known.has(periodStart(period, firstOwed));
  return [...known.values()].slice(isBegun ? -windowOf[period] : 1 - windowOf[period]);
}
