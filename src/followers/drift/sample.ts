import { PayloadLost } from '../../base/errors.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { questionIn } from '../../crawl/ledger/payloads.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import type { Sampled } from './night-profile.ts';

/** 30 pages with 24 products each, parsed in a fifth of a second. */
const payloadsInSample = 30;

/**
 * Successful responses of a run, sampled by request, so that the same requests are compared every night if possible.
 * Skips payloads that are missing or not a JSON object. Sends no request.
 */
export async function samplePayloads(
  { db, archive }: { readonly db: Queryable; readonly archive: Pick<Archive, 'getAll'> },
  runId: number,
  endpoint: string,
): Promise<readonly Sampled[]> {
  const rows = await rowsOf<{ request: string; sha256: string }>(db, selectSample, [runId, endpoint, payloadsInSample]);
  const bodies = await archive.getAll(rows.map(({ sha256 }) => sha256));
  return bodies.flatMap((bytes, i): Sampled[] => {
    const body = bytes instanceof PayloadLost ? null : readEnvelope(bytes, {}).body;
    return body ? [{ question: questionIn(rows[i]!.request), body }] : [];
  });
}

const selectSample = `
  select request, encode(sha256, 'hex') as sha256
  from (
    select distinct on (p.request) p.request, p.sha256
    from ops.payload p
    where p.run_id = $1 and p.endpoint = $2 and p.status = 200
      and exists (select from ops.payload_body b where b.sha256 = p.sha256)
    order by p.request, p.payload_id desc
  ) as asked
  order by md5(request) limit $3`;
