import type { CertificateVerdict, CheckFinding, RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Cost, costOfRun } from '../ledger/run-cost.ts';

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

/** The certificate of a run; null if it has none. */
export async function readCertificate(sql: Queryable, runId: number): Promise<Certificate | null> {
  const [row] = await rowsOf<Omit<Certificate, 'findings'>>(
    sql,
    `select r.run_id as "runId", r.region, r.snapshot_date as "snapshotDate", r.status,
            c.verdict, c.reasons, c.evidence,
            c.content_hash::text as "contentHash", c.computed_at as "computedAt", c.verified_at as "verifiedAt",
            c.is_verified as "isVerified", c.released_because as "releasedBecause", ${costOfRun('r.run_id')} as cost
     from ops.certificate c join ops.run r using (run_id) where run_id = $1`,
    [runId],
  );
  if (!row) return null;
  return { ...row, findings: await readFindings(sql, runId) };
}

/** Findings of the checks in a run, blocking ones first. */
export async function readFindings(sql: Queryable, runId: number): Promise<CheckFinding[]> {
  return rowsOf<CheckFinding>(
    sql,
    `select name, severity, found, message, samples from ops.finding where run_id = $1 order by severity desc, name`,
    [runId],
  );
}

/** The run with the certificate of a night: the last one that has one. Null if there is none. */
export async function judgedRunOf(sql: Queryable, region: RegionCode, date: string | null): Promise<number | null> {
  const [row] = await rowsOf<{ runId: number }>(
    sql,
    `select r.run_id as "runId" from ops.run r join ops.certificate using (run_id)
     where r.region = $1 and ($2::date is null or r.snapshot_date = $2) order by r.observed_at desc limit 1`,
    [region, date],
  );
  return row?.runId ?? null;
}
