import { questionIn } from '../../crawl/ledger/payloads.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Where the archive has a payload, and when it was received. */
export interface ArchivedPayload {
  readonly sha256: string;
  readonly receivedAt: Date;
}

/** Taxonomies that a run received, latest first: the latest is probably the one it used. */
export async function taxonomiesOf(sql: Queryable, runId: number, endpoint: string): Promise<ArchivedPayload[]> {
  return rowsOf<ArchivedPayload & Record<string, unknown>>(
    sql,
    `select encode(sha256, 'hex') as sha256, received_at as "receivedAt" from ops.payload
     where run_id = $1 and endpoint = $2 and status = 200 order by payload_id desc`,
    [runId, endpoint],
  );
}

/** The latest payload of each request that could not be parsed at all when it was received, with its parameters. */
export async function unreadablesOf(sql: Queryable, runId: number, endpoint: string): Promise<object[]> {
  const rows = await rowsOf<ArchivedPayload & { request: string }>(
    sql,
    `select distinct on (p.request) p.request, encode(p.sha256, 'hex') as sha256, p.received_at as "receivedAt"
     from ops.payload p
     where p.run_id = $1 and p.endpoint = $2
       and exists (select from ops.payload_body b where b.sha256 = p.sha256)
       and exists (
         select from ops.quarantine q
         where q.run_id = p.run_id
           and q.endpoint = p.endpoint
           and q.payload_sha256 = p.sha256
           and q.path = '$'
           and q.healed_at is null)
     order by p.request, p.payload_id desc`,
    [runId, endpoint],
  );
  return rows.map(({ request, ...payload }) => ({ ...payload, ...questionIn(request) }));
}
