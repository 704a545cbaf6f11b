import { RunRefused } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Part of a night to parse again: taxonomy and category pages, or product details. */
export type Part = 'listing' | 'detail';

/** Nights to replay, both dates inclusive. */
export interface ReplayRange {
  readonly from: string;
  readonly to: string;
  readonly regions: readonly RegionCode[];
  readonly parts: readonly Part[];
  /** A held or partial run that the user releases with the replay. */
  readonly release?: { readonly runId: number; readonly why: string } | undefined;
}

export interface ReplayedRun {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly observedAt: Date;
  readonly status: 'published' | 'held';
  readonly verdict: string | null;
  readonly finishedAt: Date | null;
}

/** Runs and periods that a replay covers. */
export interface ReplayScope extends Pick<ReplayRange, 'parts' | 'release'> {
  /** In the order of `observedAt`. */
  readonly runs: readonly ReplayedRun[];
  /** By region: from the first replayed run to the next run after the range (null: none). */
  readonly windows: readonly { readonly region: RegionCode; readonly fromAt: Date; readonly untilAt: Date | null }[];
}

/**
 * Published and held runs of the range. Throws `RunRefused` if there are none, or if the archive lacks one of their
 * payloads.
 */
export async function readScope(sql: Queryable, range: ReplayRange): Promise<ReplayScope> {
  const { from, to, regions, release } = range;
  const runs = await rowsOf<ReplayedRun>(
    sql,
    `select run_id as "runId", region, snapshot_date as "snapshotDate", observed_at as "observedAt", status, verdict,
       finished_at as "finishedAt"
     from ops.run
     where region = any($1) and snapshot_date between $2 and $3 and status in ('published', 'held')
     order by observed_at, run_id`,
    [regions, from, to],
  );
  if (runs.length === 0) {
    throw new RunRefused(
      `No night of ${regions.join(' or ')} from ${from} to ${to} was crawled to its end, so there is nothing to ` +
        'replay. `pricebook runs` lists all runs.',
    );
  }
  if (release) refuseToRelease(release.runId, runs);
  const parts = partsOf(range, runs);
  await refuseWithoutPayloads(sql, runs, parts);
  const covered = regions.filter((region) => runs.some((run) => run.region === region));
  const later = await rowsOf<{ region: RegionCode; untilAt: Date }>(
    sql,
    `select region, min(observed_at) as "untilAt" from ops.run
     where region = any($1) and snapshot_date > $2 and status in ('published', 'held') group by region`,
    [covered, to],
  );
  return {
    parts,
    release,
    runs,
    windows: covered.map((region) => ({
      region,
      fromAt: runs.find((run) => run.region === region)!.observedAt,
      untilAt: later.find((row) => row.region === region)?.untilAt ?? null,
    })),
  };
}

/** A held night is published as a whole, so replaying its listing includes its details. */
function partsOf({ parts }: ReplayRange, runs: readonly ReplayedRun[]): readonly Part[] {
  return parts.includes('listing') && runs.some(({ status }) => status === 'held') ? ['listing', 'detail'] : parts;
}

function refuseToRelease(runId: number, runs: readonly ReplayedRun[]): void {
  const run = runs.find((replayed) => replayed.runId === runId);
  if (!run) {
    throw new RunRefused(
      `Run ${runId} is not among the runs replayed: it belongs to another night, or was abandoned or expired, and ` +
        'nothing of it is kept. `pricebook runs` says which; replay from its night on.',
    );
  }
  if (run.status !== 'held' && run.verdict !== 'partial') {
    throw new RunRefused(`Run ${runId} is published and certified; there is nothing to release.`);
  }
}

async function refuseWithoutPayloads(
  sql: Queryable,
  runs: readonly ReplayedRun[],
  parts: readonly Part[],
): Promise<void> {
  const runIds = runs.map(({ runId }) => runId);
  const [last] = await countLostPayloads(sql, runIds, parts);
  if (!last) return;
  const run = runs.find(({ runId }) => runId === last.runId)!;
  throw new RunRefused(
    `The archive lacks ${last.missing} of the payloads of ${run.region} ${run.snapshotDate}: ` +
      'they were pruned (ARCHIVE_DAYS) or never kept (ARCHIVE=off). Replay later nights only; nothing was changed.',
  );
}

/**
 * Number of missing payloads per run, last run first. A body may outlive its run's payload rows because another night
 * received it, too; therefore the taxonomy's payload row is also checked. For a completely pruned run, its planned
 * pages are counted.
 */
export async function countLostPayloads(
  sql: Queryable,
  runIds: readonly number[],
  parts: readonly Part[],
): Promise<{ runId: number; missing: number }[]> {
  return rowsOf(
    sql,
    `select run_id as "runId", sum(missing)::int as missing
     from (
       select run_id, count(*) as missing
       from (
         select run_id, payload_sha256 from ops.category_page p where 'listing' = any($2) and status = 'done'
         union all
         select run_id, payload_sha256 from ops.detail_fetch d where 'detail' = any($2) and outcome = 'found'
       ) as read
       where not exists (select from ops.payload_body b where b.sha256 = read.payload_sha256)
       group by run_id
       union all
       select run_id, 1 from ops.run r
       where 'listing' = any($2) and run_id = any($1) and not exists (
         select from ops.payload p
         where p.run_id = r.run_id and p.endpoint = r.region || '-taxonomy' and p.status = 200)
       union all
       select run_id, sum(pages_planned) from ops.category_crawl c
       where not exists (select from ops.category_page p where p.run_id = c.run_id)
       group by run_id having sum(pages_planned) > 0
     ) as gap
     where run_id = any($1)
     group by run_id order by run_id desc`,
    [runIds, parts],
  );
}
