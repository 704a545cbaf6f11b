import { MoveRefused } from '../errors.ts';
import type { Classification } from '../gateway/classify.ts';
import { readQuota } from '../gateway/quota.ts';
import type { ListingAddress } from '../ledger/listing-moves.ts';
import type { ListingName } from '../model/index.ts';
import { compareAnswers, compareWithEarlier, type Difference, type HostAnswer } from './compare-answers.ts';
import { type ObservedQuotas, observedQuota } from './compare-plans.ts';
import { type RequestToCompare, refusedRequest } from './requests-to-compare.ts';

/** Sends one request of a listing to one of its hosts, counted like any other. */
export type AskHost = (
  address: ListingAddress,
  target: string,
) => Promise<HostAnswer & { readonly classification: Classification }>;

export interface Rehearsal {
  /** Requests that both hosts were given, with what differs. */
  readonly compared: readonly Comparison[];
  /** The old host does not answer any more: the new one was held against what the archive has. */
  readonly isOldGone: boolean;
  /** What both hosts let through in a month. */
  readonly quotas: ObservedQuotas;
  /** Requests sent, to both hosts together. */
  readonly sent: number;
}

export interface Comparison {
  readonly target: string;
  readonly against: 'the old host' | 'the archive' | 'nothing';
  readonly differences: readonly Difference[];
}

/**
 * Gives the same requests to the old and the new host and compares what they answer. Throws `MoveRefused` when the new host cannot be
 * used at all: not subscribed, not known to the gateway.
 */
export async function rehearse(given: {
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  /** The first one shows whether the key is subscribed there. */
  readonly requests: readonly RequestToCompare[];
  readonly keyVariable: string;
  readonly now: Date;
  readonly ask: AskHost;
  readonly archived: (sha256: string) => Promise<unknown>;
}): Promise<Rehearsal> {
  const { listing, from, to, requests, ask, archived } = given;
  let sent = 0;
  let isOldGone = false;
  const quotas: { old: number | null; new: number | null } = { old: null, new: null };
  const askAt = async (address: ListingAddress, target: string) => {
    sent += 1;
    const answer = await ask(address, target);
    const host = address === to ? 'new' : 'old';
    quotas[host] = observedQuota(quotas[host], readQuota(answer.headers, given.now));
    return answer;
  };
  const compared: Comparison[] = [];
  const targets = requests.map(({ target }) => target);
  for (const [index, { target, archived: body }] of [
    ...requests,
    { target: refusedRequest(targets), archived: null },
  ].entries()) {
    const fresh = await askAt(to, target);
    if (index === 0) refuseUnusable(listing, to, given.keyVariable, fresh);
    const old = isOldGone ? null : await askAt(from, target);
    if (old && (old.status === null || isRefused(old.classification))) isOldGone = true;
    if (old && !isOldGone) compared.push(await compareLive(target, old, fresh, () => askAt(from, target)));
    else if (body === null)
      compared.push({ target, against: 'nothing', differences: unanswered(fresh, index < requests.length) });
    else {
      const differences =
        fresh.status === 200 ? compareWithEarlier(await archived(body), fresh.body) : unanswered(fresh, true);
      compared.push({ target, against: 'the archive', differences });
    }
  }
  return { compared, isOldGone, quotas, sent };
}

/** Values of a live listing move by themselves: only those count that the old host gives twice and the new one does not. */
async function compareLive(
  target: string,
  old: HostAnswer,
  fresh: HostAnswer,
  askAgain: () => Promise<HostAnswer>,
): Promise<Comparison> {
  const against = 'the old host';
  const differences = compareAnswers(old, fresh);
  if (!differences.some(({ about }) => about === 'value')) return { target, against, differences };
  const moving = new Set(compareAnswers(old, await askAgain()).map(({ place }) => place));
  return {
    target,
    against,
    differences: differences.filter((each) => each.about !== 'value' || !moving.has(each.place)),
  };
}

function unanswered({ status }: HostAnswer, isExpected: boolean): Difference[] {
  return !isExpected || status === 200 ? [] : [{ about: 'status', place: 'status', old: '200', new: String(status) }];
}

/** What the gateway says of the host itself: not subscribed any more, or retired. */
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
      // What it answered is compared; no answer at all may be the network's fault.
      if (status === null) throw new MoveRefused(listing, `${host} does not answer (${means.what}). Try again later`);
      return;
    default:
  }
}
