import type { CertificateVerdict, CheckFinding, RegionCode } from '../base/model/index.ts';
import { type Cost, costOfRun } from '../crawl/run/cost.ts';
import type { Queryable } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';

/** The verdict on a run, with its evidence. */
export interface Certificate {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  /** `held`: a finding blocks its publication. */
  readonly status: string;
  readonly verdict: CertificateVerdict;
  readonly reasons: readonly string[];
  readonly evidence: Readonly<Record<string, unknown>>;
  /** Reason that a user gave for the release; null if it was not released. */
  readonly releasedBecause: string | null;
  /** sha256 in hex of the catalogue after the run; null until it is computed. */
  readonly contentHash: string | null;
  readonly computedAt: Date;
  /** Last time the night was rebuilt from history, and whether the result matched its certificate. */
  readonly verifiedAt: Date | null;
  readonly isVerified: boolean | null;
  readonly findings: readonly CheckFinding[];
  /** Cost of the run's requests; null if unknown. */
  readonly cost: Cost | null;
}

/** The certificate of a run, or the last one of a region or night; null if there is none. */
export async function readCertificate(
  sql: Queryable,
  { runId, region, date }: { runId?: number; region?: RegionCode; date?: string | undefined },
): Promise<Certificate | null> {
  const [row] = await camelRows<Omit<Certificate, 'findings'>>(
    sql,
    `select r.run_id, r.region, r.snapshot_date, r.status,
            c.verdict, ${evidenceOf('r.run_id')} as evidence,
            array(select ops.reason_in_words(reason) from jsonb_array_elements(c.reasons) as reason)
              || array(select distinct q.endpoint || ' could not be read: ' || q.reason
                       from ops.quarantine q where q.run_id = r.run_id and q.path = '$' limit 5) as reasons,
            c.content_hash::text as content_hash, c.computed_at, c.verified_at, c.is_verified,
            c.released_because, ${costOfRun('r.run_id')} as cost
     from ops.certificate c join ops.run r using (run_id)
     where run_id = coalesce($1, run_id) and r.region = coalesce($2, r.region)
       and r.snapshot_date = coalesce($3, r.snapshot_date)
     order by r.observed_at desc limit 1`,
    [runId, region, date],
  );
  return row ? { ...row, findings: await readFindings(sql, row.runId) } : null;
}

/** SQL: the evidence about a run, with its categories. */
const evidenceOf = (runId: string) => `(
  select to_jsonb(e) || jsonb_build_object('categories', (
    select coalesce(jsonb_agg(to_jsonb(each) - 'run_id' order by each.category_no), '[]')
    from ops.category_evidence each where each.run_id = e.run_id))
  from ops.run_evidence e where e.run_id = ${runId})`;

/** Findings of the checks in a run, blocking ones first. */
export async function readFindings(sql: Queryable, runId: number): Promise<CheckFinding[]> {
  return camelRows<CheckFinding>(
    sql,
    `select name, severity, found, ops.finding_in_words(name, found, total) as message, samples
     from ops.finding where run_id = $1 order by severity desc, name`,
    [runId],
  );
}
