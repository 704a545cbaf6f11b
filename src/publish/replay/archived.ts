import { questionIn } from '../../crawl/ledger/payloads.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** A payload as recorded in the ledger, without its body. */
export interface ArchivedPayload {
  readonly endpoint: string;
  /** Request parameters by name. */
  readonly question: Readonly<Record<string, string>>;
  readonly sha256: string;
  readonly receivedAt: Date;
}

/** Taxonomies that a run received, latest first: the latest is probably the one it used. */
export async function taxonomiesOf(sql: Queryable, runId: number, endpoint: string): Promise<ArchivedPayload[]> {
  return payloadsOf(sql, `where p.run_id = $1 and p.endpoint = $2 and p.status = 200 order by p.payload_id desc`, [
    runId,
    endpoint,
  ]);
}

/** Payloads that could not be parsed at all when they were received, latest first. */
export async function unreadablesOf(sql: Queryable, runId: number, endpoint: string): Promise<ArchivedPayload[]> {
  return payloadsOf(
    sql,
    `where p.run_id = $1 and p.endpoint = $2
       and exists (select from ops.payload_body b where b.sha256 = p.sha256)
       and exists (
         select from ops.quarantine q
         where q.run_id = p.run_id
           and q.endpoint = p.endpoint
           and q.payload_sha256 = p.sha256
           and q.path = '$'
           and q.healed_at is null)
     order by p.payload_id desc`,
    [runId, endpoint],
  );
}

async function payloadsOf(sql: Queryable, which: string, values: readonly unknown[]): Promise<ArchivedPayload[]> {
  const rows = await rowsOf<Omit<ArchivedPayload, 'question'> & { request: string }>(
    sql,
    `select p.endpoint, p.request, encode(p.sha256, 'hex') as sha256, p.received_at as "receivedAt"
     from ops.payload p ${which}`,
    values,
  );
  return rows.map(({ request, ...payload }) => ({ ...payload, question: questionIn(request) }));
}
