import type { ContractBroken } from '../../base/errors.ts';
import type { Payload, RegionCode, Rejection } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';

export interface Quarantined {
  readonly rejection: Rejection;
  readonly payloadSha256: string | null;
  readonly seenAt: Date;
}

/** Characters of a rejected element kept in the table; the payload has all of it. */
const valueMaxChars = 4096;

/** Stores rejected elements with their reason and payload. */
export async function quarantine(
  sql: Queryable,
  run: { readonly runId: number | null; readonly region: RegionCode | null },
  endpoint: string,
  rejected: readonly Quarantined[],
): Promise<void> {
  if (rejected.length === 0) return;
  await sql.query(insertQuarantine, [
    run.runId,
    run.region,
    endpoint,
    rejected.map(({ rejection }) => rejection.path),
    rejected.map(({ rejection }) => rejection.reason),
    rejected.map(({ rejection }) => storable(rejection.value)),
    rejected.map(({ payloadSha256 }) => (payloadSha256 === null ? null : Buffer.from(payloadSha256, 'hex'))),
    rejected.map(({ seenAt }) => seenAt),
  ]);
}

/** Quarantines payloads with an unknown envelope as a whole; their path is `$`. */
export function quarantinePayload(
  sql: Queryable,
  { name, region }: { readonly name: string; readonly region: RegionCode | null },
  { sha256: payloadSha256, receivedAt: seenAt }: Pick<Payload, 'sha256' | 'receivedAt'>,
  runId: number | null,
  { issues }: Pick<ContractBroken, 'issues'>,
): Promise<void> {
  const rejection = { path: '$', reason: issues.join('; ').slice(0, 200), value: null };
  return quarantine(sql, { runId, region }, name, [{ rejection, payloadSha256, seenAt }]);
}

/** JSON text escapes NUL and lone surrogates, but truncation may split a pair, which PostgreSQL would refuse. */
function storable(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').slice(0, valueMaxChars).toWellFormed();
}

const insertQuarantine = `
  insert into ops.quarantine (run_id, region, endpoint, path, reason, value, payload_sha256, seen_at)
  select $1, $2, $3, q.* from unnest($4::text[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[]) as q`;
