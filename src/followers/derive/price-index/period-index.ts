import type { Transaction } from '../../../db/client.ts';
import type { CertifiedNight } from '../derivation.ts';
import { type Comparison, comparePrices, logPricesOf, pricedIn } from './compare-prices.ts';
import { type IndexOf, readPublished, writeParts, writePeriod, writeRevisions } from './index-rows.ts';
import { addNight, forEachProduct, none, ofBases, type Panel } from './panel.ts';
import { periodStart, windowOf } from './period.ts';
import { keptPanels, readLinks, readPanels, trimPanels, writePanel } from './period-panels.ts';
import { chainPeriod, computeGeks } from './price-index.ts';

interface NightToIndex {
  /** All certified nights of the region in order; the last one is indexed. */
  readonly nights: readonly CertifiedNight[];
  readonly panel: Panel;
  /** Prices of an earlier night. */
  panelAgain(night: CertifiedNight): Promise<Panel>;
}

/** Adds a night to its period and computes the period's index, comparing it with the earlier ones of its window. */
export async function indexNight(
  tx: Transaction,
  index: IndexOf,
  { nights, panel: lastPanel, panelAgain }: NightToIndex,
): Promise<void> {
  const nightsIn = new Map<string, CertifiedNight[]>();
  for (const night of nights) {
    const start = periodStart(index.period, night.snapshotDate);
    nightsIn.set(start, [...(nightsIn.get(start) ?? []), night]);
  }
  const lastIn = (start: string): CertifiedNight => nightsIn.get(start)!.at(-1)!;
  const starts = [...nightsIn.keys()].slice(-windowOf[index.period]);
  const current = starts.at(-1)!;
  const kept = await keptPanels(tx, index);
  // Panels that have left the window, or were forgotten, are needed again if earlier nights have changed.
  for (const start of starts.slice(0, -1))
    if (kept.get(start) !== lastIn(start).snapshotDate) await comparePeriod(start, await sumUp(nightsIn.get(start)!));

  const { prices, comparisons, since, previous } = await comparePeriod(current, await addLast());
  const earlier = starts.slice(0, -1);
  const links = await readLinks(tx, index, earlier);
  const published = await readPublished(tx, index, earlier);
  const window = published.map((each) => ({ ...each, since: links.get(each.start)! }));
  const priced = pricedIn(prices, index.groups);
  const indexed = chainPeriod({ start: current, priced }, { window, comparisons });
  const revised = computeGeks([...window, { ...indexed, since }], index.groups.homes);
  const derivedOn = nights.at(-1)!.snapshotDate;
  const counts = new Map([...nightsIn].map(([start, { length }]) => [start, length]));
  await writePeriod(tx, index, indexed, { nightsIn: counts, derivedOn });
  if (previous) await noteDepartures(previous, prices);
  if (revised.size > 0) await writeRevisions(tx, index, revised, derivedOn);
  await writeParts(tx, index, [...revised, indexed]);
  await trimPanels(tx, index, starts[0]!);

  async function noteDepartures(before: Panel, now: Panel): Promise<void> {
    const gone: number[] = [];
    forEachProduct(before, now, (b, n) => void (n === none && gone.push(b)));
    const { observedAt } = lastIn(starts.at(-2)!);
    const { region, period, groups } = index;
    const categoriesOf = (b: number) => Array.from(groups.members(before.group[b]!), (c) => groups.categoryKeys[c]);
    const lists = gone.map((b) => `{${categoriesOf(b)}}`);
    const of = [gone.map((b) => before.keys[b]), gone.map((b) => before.shelf[b]), lists, observedAt];
    await tx.query('select ops.note_departures($1, $2, $3, $4, $5, $6, $7)', [region, period, current, ...of]);
  }

  async function sumUp(some: readonly CertifiedNight[]): Promise<Panel> {
    let sum = await panelAgain(some[0]!);
    for (const night of some.slice(1)) sum = addNight(sum, await panelAgain(night));
    return sum;
  }

  /** The panel of the current period, with the last night. */
  async function addLast(): Promise<Panel> {
    const before = nightsIn.get(current)!.slice(0, -1);
    if (before.length === 0) return lastPanel;
    if (kept.get(current) !== before.at(-1)!.snapshotDate) return addNight(await sumUp(before), lastPanel);
    const [panel] = await readPanels(tx, index, [current], (_, read) => read);
    return addNight(panel!, lastPanel);
  }

  /** Compares a period with the earlier ones of the window, and keeps its panel. */
  async function comparePeriod(start: string, panel: Panel) {
    const prices = logPricesOf(panel);
    const comparisons = new Map<string, Comparison>();
    let previous: Panel | null = null;
    const earlier = starts.filter((each) => each < start);
    await readPanels(tx, index, earlier, (each, read) => {
      previous = logPricesOf(read);
      comparisons.set(each, comparePrices(previous, prices, index.groups));
    });
    const since = new Map(
      [...comparisons].map(([each, compared]) => [
        each,
        { ...ofBases((basis) => compared[basis].logJevons), parts: compared.parts },
      ]),
    );
    await writePanel(tx, index, { start, since }, { panel, throughDate: lastIn(start).snapshotDate });
    return { prices, comparisons, since, previous: previous as Panel | null };
  }
}
