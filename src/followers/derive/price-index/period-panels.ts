import type { RegionCode } from '../../../base/model/index.ts';
import type { Queryable, Transaction } from '../../../db/client.ts';
import { copyBinary } from '../../../db/copy-binary.ts';
import { rowsOf } from '../../../db/rows.ts';
import type { CategoryGroups } from '../category-groups.ts';
import type { IndexOf } from './index-rows.ts';
import { ofBases, type Panel, pack, packPanel, unpack, unpackPanel } from './panel.ts';
import type { LogsOfBases, WindowPeriod } from './price-index.ts';

/** Periods with a stored panel, and the last night in each. */
export async function keptPanels(
  sql: Queryable,
  { region, period }: Pick<IndexOf, 'region' | 'period'>,
): Promise<Map<string, string>> {
  const rows = await rowsOf<{ start: string; through: string }>(
    sql,
    `select period_start as start, through_date as through from derived.period_panel
     where region = $1 and period = $2 and panel is not null`,
    [region, period],
  );
  return new Map(rows.map(({ start, through }) => [start, through]));
}

/** Reads panels one by one, in order; only results of `read` are kept, because a window of panels may exceed memory. */
export async function readPanels<Result>(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  { starts, column }: { readonly starts: readonly string[]; readonly column: 'panel' | 'base_panel' },
  read: (start: string, panel: Panel) => Result,
): Promise<Result[]> {
  if (starts.length === 0) return [];
  return copyBinary(
    tx,
    `select period_start::text, ${column} from derived.period_panel
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

interface PeriodPanel {
  readonly start: string;
  /** Date of the last night in the period. */
  readonly through: string;
  readonly panel: Panel;
  /** Products of categories whose base is this period; null: none, or unchanged. */
  readonly basePanel: Panel | null;
  readonly since: WindowPeriod['since'];
}

export async function writePanel(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  { start, through, panel, basePanel, since }: PeriodPanel,
): Promise<void> {
  await tx.query(
    `insert into derived.period_panel as kept (region, period, period_start, through_date, panel, base_panel, links)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (region, period, period_start) do update set
       through_date = excluded.through_date, panel = excluded.panel, links = excluded.links,
       base_panel = coalesce(excluded.base_panel, kept.base_panel)`,
    [
      region,
      period,
      start,
      through,
      await packPanel(panel, groups),
      basePanel && (await packPanel(basePanel, groups)),
      await packLinks(since, groups),
    ],
  );
}

/** Deletes panels that have left the window, except those of base periods. */
export async function trimPanels(sql: Queryable, { region, period }: IndexOf, windowStart: string): Promise<void> {
  await sql.query(
    `delete from derived.period_panel
     where region = $1 and period = $2 and period_start < $3 and base_panel is null`,
    [region, period, windowStart],
  );
  await sql.query(
    `update derived.period_panel set panel = null, links = null
     where region = $1 and period = $2 and period_start < $3 and panel is not null`,
    [region, period, windowStart],
  );
}

/** Deletes panels with nights from a date on. */
export async function forgetPanels(sql: Queryable, region: RegionCode, from: string): Promise<void> {
  await sql.query('delete from derived.period_panel where region = $1 and through_date >= $2', [region, from]);
}

interface PackedLinks {
  readonly categoryKeys: readonly number[];
  readonly starts: readonly string[];
  /** By start of the earlier period. */
  readonly logs: readonly LogsOfBases[];
}

const packLinks = (since: WindowPeriod['since'], { categoryKeys }: CategoryGroups): Promise<Buffer> =>
  pack({ categoryKeys, starts: [...since.keys()], logs: [...since.values()] } satisfies PackedLinks);

/** Maps logarithms to current category numbers; new categories have none. */
function unpackLinks(packed: Buffer, { categoryKeys: keys }: CategoryGroups): WindowPeriod['since'] {
  const { categoryKeys, starts, logs } = unpack<PackedLinks>(packed);
  const formerNumber = new Map(categoryKeys.map((key, number) => [key, number]));
  const places = keys.map((key) => formerNumber.get(key) ?? -1);
  return new Map(
    logs.map((former, n) => [
      starts[n]!,
      ofBases((basis) => Float64Array.from(places, (place) => former[basis][place] ?? Number.NaN)),
    ]),
  );
}
