import { isDeepStrictEqual } from 'node:util';
import { and, eq, lt } from 'drizzle-orm';
import type { Transaction } from '../../../db/client.ts';
import { copyBinary } from '../../../db/copy-binary.ts';
import { periodPanel } from '../../../db/tables/index.ts';
import { type CategoryGroups, wholeRegion } from '../category-groups.ts';
import type { IndexOf } from './index-rows.ts';
import { ofBases, type Panel, pack, packPanel, unpack, unpackPanel } from './panel.ts';
import type { LogsOfLines, WindowPeriod } from './price-index.ts';

const ofPeriod = ({ region, period }: Pick<IndexOf, 'region' | 'period'>) =>
  and(eq(periodPanel.region, region), eq(periodPanel.period, period));

/** Periods with a stored panel, and the last night in each. */
export async function keptPanels({ orm }: Transaction, index: IndexOf): Promise<Map<string, string>> {
  const { periodStart, throughDate } = periodPanel;
  const rows = await orm.select({ periodStart, throughDate }).from(periodPanel).where(ofPeriod(index));
  return new Map(rows.map((row) => [row.periodStart, row.throughDate]));
}

/** Reads panels one by one, in order; only results of `read` are kept, because a window of panels may exceed memory. */
export async function readPanels<Result>(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  starts: readonly string[],
  read: (start: string, panel: Panel) => Result,
): Promise<Result[]> {
  if (starts.length === 0) return [];
  return copyBinary(
    tx,
    `select period_start::text, panel from derived.period_panel
     where region = $1 and period = $2 and period_start = any($3::date[])
     order by period_start`,
    [region, period, `{${starts.join()}}`],
    ([start, packed]) => read(String(start), unpackPanel(packed!, groups)),
  );
}

/** Jevons indices to each of these periods from earlier ones. */
export async function readLinks(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  starts: readonly string[],
): Promise<Map<string, WindowPeriod['since']>> {
  const rows = await copyBinary(
    tx,
    `select period_start::text, links from derived.period_panel
     where region = $1 and period = $2 and period_start = any($3::date[])`,
    [region, period, `{${starts.join()}}`],
  );
  return new Map(rows.map(([start, packed]) => [String(start), unpackLinks(packed!, groups)]));
}

/** `throughDate`: date of the last night in the period. */
export async function writePanel(
  { orm }: Transaction,
  { region, period, groups }: IndexOf,
  { start: periodStart, since }: Pick<WindowPeriod, 'start' | 'since'>,
  { panel, throughDate }: { readonly panel: Panel; readonly throughDate: string },
): Promise<void> {
  const links = await pack({ categoryKeys: groups.categoryKeys, since } satisfies PackedLinks);
  const kept = { throughDate, panel: await packPanel(panel, groups), links };
  await orm
    .insert(periodPanel)
    .values({ region, period, periodStart, ...kept })
    .onConflictDoUpdate({ target: [periodPanel.region, periodPanel.period, periodPanel.periodStart], set: kept });
}

/** Deletes panels that have left the window. */
export async function trimPanels({ orm }: Transaction, index: IndexOf, windowStart: string): Promise<void> {
  await orm.delete(periodPanel).where(and(ofPeriod(index), lt(periodPanel.periodStart, windowStart)));
}

type PackedLinks = Pick<CategoryGroups, 'categoryKeys'> & Pick<WindowPeriod, 'since'>;

/** Maps logarithms to current category numbers; new categories have none, and have added nothing to the region. */
function unpackLinks(packed: Buffer, groups: CategoryGroups): WindowPeriod['since'] {
  const { categoryKeys, since } = unpack<PackedLinks>(packed);
  if (isDeepStrictEqual(categoryKeys, groups.categoryKeys)) return since;
  const formerNumber = new Map(categoryKeys.map((key, number) => [key, number]));
  const places = groups.categoryKeys.map((key) => formerNumber.get(key) ?? -1);
  const placed = (logs: Float64Array, other = Number.NaN) => Float64Array.from(places, (place) => logs[place] ?? other);
  const placedLines = (logs: LogsOfLines) => ({
    ...ofBases((basis) => placed(logs[basis])),
    parts: placed(logs.parts, Number.isNaN(logs.parts[wholeRegion]!) ? Number.NaN : 0),
  });
  return new Map(Array.from(since, ([start, logs]) => [start, placedLines(logs)]));
}
