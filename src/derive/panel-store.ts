import type { Askable, Transaction } from '../db/client.ts';
import { copyBinary } from '../db/copy-binary.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import { type Period, periodStart, periods } from './period.ts';

export interface StoredPanel {
  readonly start: string;
  /** The last night in it. */
  readonly through: string;
  readonly packed: Buffer;
  /** What it comes to by category, and how it compares with those before it; null where it was not compared yet. */
  readonly figures: Buffer | null;
  /** Of the latest period only: sums of the comparisons with those before it, from which they go on. */
  readonly comparisons: Buffer | null;
}

/** The packed panels of a region's periods that begin before a date, or with it. */
export async function readPanels(
  tx: Transaction,
  region: RegionCode,
  period: Period,
  until: string,
): Promise<Map<string, StoredPanel>> {
  const rows = await copyBinary(
    tx,
    `select period_start::text, through_date::text, panel, figures, comparisons from derived.period_panel
     where region = $1 and period = $2 and period_start <= $3`,
    [region, period, until],
  );
  const panels = rows.map(([start, through, packed, figures, comparisons]) => ({
    start: String(start),
    through: String(through),
    packed: packed!,
    figures: figures ?? null,
    comparisons: comparisons ?? null,
  }));
  return new Map(panels.map((panel) => [panel.start, panel]));
}

export async function writePanel(
  sql: Askable,
  region: RegionCode,
  period: Period,
  { start, through, packed }: Pick<StoredPanel, 'start' | 'through' | 'packed'>,
): Promise<void> {
  await sql.query(
    `insert into derived.period_panel (region, period, period_start, through_date, panel) values ($1, $2, $3, $4, $5)
     on conflict (region, period, period_start) do update set
       through_date = excluded.through_date, panel = excluded.panel, figures = null, comparisons = null`,
    [region, period, start, through, packed],
  );
}

/** Keeps how periods compare. Comparisons go on from those of the latest only. */
export async function writeFigures(
  sql: Askable,
  region: RegionCode,
  period: Period,
  figures: ReadonlyMap<string, Buffer>,
  latest: { readonly start: string; readonly comparisons: Buffer },
): Promise<void> {
  for (const [start, packed] of figures) {
    await sql.query(
      'update derived.period_panel set figures = $4 where region = $1 and period = $2 and period_start = $3',
      [region, period, start, packed],
    );
  }
  await sql.query(
    `update derived.period_panel set comparisons = case when period_start = $3 then $4::bytea end
     where region = $1 and period = $2 and (period_start = $3 or comparisons is not null)`,
    [region, period, latest.start, latest.comparisons],
  );
}

/** Keeps the panels of these periods and no others. */
export async function keepPanels(
  sql: Askable,
  region: RegionCode,
  period: Period,
  starts: readonly string[],
): Promise<void> {
  await sql.query(
    'delete from derived.period_panel where region = $1 and period = $2 and period_start <> all($3::date[])',
    [region, period, starts],
  );
}

/** Base panels of these periods, as far as they are kept. */
export async function readBases(
  sql: Askable,
  region: RegionCode,
  period: Period,
  starts: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = await rowsOf<{ start: string; packed: Buffer }>(
    sql,
    `select period_start as start, panel as packed from derived.base_panel
     where region = $1 and period = $2 and period_start = any($3::date[])`,
    [region, period, starts],
  );
  return new Map(rows.map(({ start, packed }) => [start, packed]));
}

export async function writeBases(
  sql: Askable,
  region: RegionCode,
  period: Period,
  bases: ReadonlyMap<string, Buffer>,
): Promise<void> {
  for (const [start, packed] of bases) {
    await sql.query(
      `insert into derived.base_panel (region, period, period_start, panel) values ($1, $2, $3, $4)
       on conflict (region, period, period_start) do update set panel = excluded.panel`,
      [region, period, start, packed],
    );
  }
}

/** Removes what has a night of a date or a later one in it. */
export async function forgetPanels(sql: Askable, region: RegionCode, from: string): Promise<void> {
  await sql.query('delete from derived.period_panel where region = $1 and through_date >= $2', [region, from]);
  for (const period of periods) {
    await sql.query('delete from derived.base_panel where region = $1 and period = $2 and period_start >= $3', [
      region,
      period,
      periodStart(period, from),
    ]);
  }
}
