import { MoveRefused } from '../../base/errors.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Classification } from '../../gateway/classify.ts';
import { readQuota } from '../../gateway/quota.ts';
import type { ListingAddress } from '../ledger/listing-moves.ts';
import { compareAnswers, type Difference, type HostAnswer } from './compare-answers.ts';

/** Sends one request to a host of a listing, counted against its limits. */
type AskHost = (
  address: ListingAddress,
  target: string,
) => Promise<HostAnswer & { readonly classification: Classification }>;

export interface HostProbe {
  readonly compared: readonly Comparison[];
  /** Whether the old host no longer answers; then only the new host was probed. */
  readonly isOldGone: boolean;
  /** Monthly quota according to each host's headers; null if none is stated. */
  readonly quotas: { readonly old: number | null; readonly new: number | null };
  /** Requests sent to both hosts together. */
  readonly sent: number;
}

export interface Comparison {
  readonly target: string;
  readonly against: 'the old host' | 'nothing';
  readonly differences: readonly Difference[];
}

/**
 * Sends the same requests to the new and the old host and compares the responses. The last request is invalid on
 * purpose, to compare error formats. Throws `MoveRefused` if the new host is unusable: not subscribed, or unknown to
 * the gateway.
 */
export async function probeHosts(given: {
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  /** Paths with queries. The first one shows whether the key is subscribed. */
  readonly targets: readonly string[];
  readonly keyVariable: string;
  readonly now: Date;
  readonly ask: AskHost;
}): Promise<HostProbe> {
  const { listing, from, to, targets, ask } = given;
  let sent = 0;
  let isOldGone = false;
  const quotas: { old: number | null; new: number | null } = { old: null, new: null };
  const askAt = async (host: 'old' | 'new', target: string) => {
    sent += 1;
    const answer = await ask(host === 'old' ? from : to, target);
    quotas[host] = readQuota(answer.headers, given.now)?.limit ?? quotas[host];
    return answer;
  };
  const compared: Comparison[] = [];
  for (const [index, target] of [...targets, refusedRequest(targets)].entries()) {
    const fresh = await askAt('new', target);
    if (index === 0) refuseUnusable(listing, to, given.keyVariable, fresh);
    const old = isOldGone ? null : await askAt('old', target);
    if (old && (old.status === null || isRefused(old.classification))) isOldGone = true;
    if (old && !isOldGone) compared.push({ target, against: 'the old host', differences: compareAnswers(old, fresh) });
    else {
      const isUnanswered = index < targets.length && fresh.status !== 200;
      const status: Difference = { about: 'status', place: 'status', old: '200', new: String(fresh.status) };
      compared.push({ target, against: 'nothing', differences: isUnanswered ? [status] : [] });
    }
  }
  return { compared, isOldGone, quotas, sent };
}

/** The latest answered request to each endpoint of the listing. */
export async function recordedRequests(sql: Queryable, listing: ListingName, host: string): Promise<string[]> {
  const rows = await rowsOf<{ target: string }>(
    sql,
    `select distinct on (endpoint) request as target
     from (
       select * from ops.payload where listing = $1 and host = $2 and status = 200
       order by payload_id desc limit 2000
     ) p
     order by endpoint, request like '%?%' desc, payload_id desc`,
    [listing, host],
  );
  return rows.map(({ target }) => target);
}

/** A request that every host rejects: a known path without its parameters, or an unknown path. */
export function refusedRequest(targets: readonly string[]): string {
  const asking = targets.find((target) => target.includes('?'));
  return asking === undefined ? '/no-such-endpoint' : asking.slice(0, asking.indexOf('?'));
}

/** Whether the gateway rejects the host itself: no longer subscribed, or retired. */
function isRefused(means: Classification): boolean {
  return means.kind === 'denied' || isHostUnknown(means);
}

export function isHostUnknown(means: Classification): boolean {
  return means.kind === 'endpoint_missing' && /api doesn.?t exist/i.test(means.what);
}

function refuseUnusable(
  listing: ListingName,
  { host }: ListingAddress,
  variable: string,
  { status, classification: means }: Awaited<ReturnType<AskHost>>,
): void {
  switch (means.kind) {
    case 'denied':
      throw new MoveRefused(
        listing,
        /not subscribed/i.test(means.what)
          ? `the key in ${variable} is not subscribed to ${host}. Subscribe to the new listing with the same plan first`
          : `${host} refuses the key in ${variable} (${means.what}). The key is the same on both hosts: check it`,
      );
    case 'endpoint_missing':
      if (isHostUnknown(means))
        throw new MoveRefused(
          listing,
          `the gateway knows no listing by the host ${host}. Copy it from the new listing's own page`,
        );
      return;
    case 'quota':
      throw new MoveRefused(listing, `the quota of ${host} is used up (${means.what})`);
    case 'unavailable':
      // An error response is compared like any other; a missing response may be a network problem.
      if (status === null) throw new MoveRefused(listing, `${host} does not answer (${means.what}). Try again later`);
      return;
    default:
  }
}
