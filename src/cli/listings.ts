import type { Base } from '../app/compose.ts';
import { readListingHosts } from '../app/listings-in-use.ts';
import { plural } from '../base/format.ts';
import type { ListingName } from '../base/model/index.ts';
import { type ListingProbe, lastProbes } from '../crawl/probe.ts';
import { describeCost } from '../crawl/run/cost.ts';
import { type ListingStatus, readListings } from '../crawl/run/listing-status.ts';
import { amountText, type Deadline, type Listing, refundFor, listings as registry } from '../source/listings/index.ts';

const billingMonthMs = 31 * 86_400_000;

/** A listing in `pricebook listings --json`. */
export type ListingOverview = Awaited<ReturnType<typeof readOverviews>>[number];

/** All listings with their current state, and what needs action. Sends no request. */
export async function readOverviews(base: Base) {
  const now = base.clock.now();
  return (await readStates(base)).map((state) => ({
    ...state,
    warnings: state.asked ? [...warningsOn(state, now)] : [],
  }));
}

async function readStates({ config, db, clock }: Base) {
  const probes = await lastProbes(db);
  const all = new Map(Object.values(config.listings).map((listing) => [listing.name, listing]));
  const spends = await readListings(db, clock.now(), all);
  const hosts = await readListingHosts({ config, db, clock });
  return Object.values(registry).map((listing) => {
    const { hasKey, keyVariable, subscription, monthlyQuota } = config.listings[listing.name];
    // Undefined: the listing is not in use.
    const place = hosts.find((each) => each.listing === listing);
    const { host = null, hostStatus, move } = place ?? {};
    const probe = probes.get(listing.name) ?? null;
    const known = spends.find((each) => each.listing === listing.name) ?? null;
    // The simulator plays every listing, also one that is not configured.
    const asked = place !== undefined || (config.upstream === 'simulator' && known !== null && known.lastOkAt !== null);
    const spend = asked ? known : null;
    const refund = move && refundFor(subscription.plan, monthlyQuota ?? move.quota, move.unitsUsed);
    return {
      listing: listing.name,
      title: listing.title,
      about: listing.about,
      asked,
      host,
      hostIs: hostStatus?.kind ?? null,
      key: { present: hasKey, variable: keyVariable },
      subscribed: spend?.isSubscribed ?? null,
      health: {
        state: asked ? healthOf(probe, spend) : 'not configured',
        lastAnswerAt: spend?.lastOkAt ?? null,
        probedAt: probe?.probedAt ?? null,
        latencyMs: probe?.latencyMs ?? null,
        said: probe?.said ?? null,
      },
      plan: subscription.plan?.name ?? null,
      requestsSpent: spend?.requestsSpent ?? null,
      monthlyQuota,
      quotaRemaining: spend?.quotaRemaining ?? null,
      cost: spend?.cost ?? null,
      deadline: hostStatus?.deadline ?? null,
      movedFrom: move
        ? {
            ...{ ...move.from, at: move.movedAt, requestsUsed: move.unitsUsed },
            refund: refund ? { amount: amountText(refund), currency: refund.currency } : null,
          }
        : null,
    };
  });
}

/** Name of a listing as typed in commands: `property-1`. */
export const typedName = (listing: ListingName): string => listing.replaceAll('_', '-');

/** Health in words, such as `answers` or `refuses the key`. A later answer counts more than a failed probe. */
function healthOf(probe: ListingProbe | null, spend: ListingStatus | null): string {
  const { lastOkAt = null } = spend ?? {};
  const isLatest = probe !== null && (lastOkAt === null || lastOkAt <= probe.probedAt);
  const failure = troubles[spend?.state ?? ''] ?? (isLatest ? troubles[probe.outcome] : undefined);
  return failure ?? (probe === null && lastOkAt === null ? 'not probed yet' : 'answers');
}

/** States of stops, and outcomes of probes. */
const troubles: Readonly<Record<string, string>> = {
  quota: 'quota used up',
  denied: 'refuses the key',
  failing: 'fails',
  failed: 'fails',
  missing: 'not at this host',
};

type State = Awaited<ReturnType<typeof readStates>>[number];

function* warningsOn({ listing, host, hostIs, key, subscribed, deadline, movedFrom }: State, now: Date) {
  const name = typedName(listing);
  if (subscribed === false)
    yield `${name}: the key in ${key.variable} is not subscribed. ` +
      'Subscribe at the gateway, or unset the variables of the listing.';
  if (deadline && deadline.state !== 'ahead') {
    const due = `${deadline.state === 'passed' ? 'had' : 'has'} to be left by ${deadlineWords(deadline)}`;
    const isOld = hostIs === 'replaced';
    const which = isOld ? `${host} is its old host, which ${due}.` : `its old host ${due}. If that is ${host},`;
    yield `${name}: ${which} \`${migrateCommand(registry[listing], host)}\` probes the new host and switches.`;
  }
  if (!movedFrom || now.getTime() - movedFrom.at.getTime() > billingMonthMs) return;
  const { refund, at, requestsUsed } = movedFrom;
  yield `${name}: it was moved from ${movedFrom.host} on ${at.toISOString().slice(0, 10)}. ` +
    'While both are subscribed, both are billed: unsubscribe from the old one at the gateway, if you have not. ' +
    (refund
      ? `Refund of its month, on request: ${describeCost(refund)} (${plural(requestsUsed, 'request')} used).`
      : `Set ${registry[listing].environmentPrefix}_PLAN to see its refund.`);
}

export function deadlineWords({ leaveBy, days, state }: Deadline): string {
  if (state === 'passed') return `${leaveBy}, ${plural(-days, 'day')} ago`;
  return days === 0 ? `${leaveBy}, today` : `${leaveBy}, in ${plural(days, 'day')}`;
}

/** Command that moves a listing from this host; with `--to` if the new host is not known. */
export function migrateCommand({ name, hosts }: Listing, host: string | null): string {
  const isPlayed = hosts.some(({ simulatorHost }) => simulatorHost === host);
  const to = isPlayed ? hosts[0]?.simulatorHost : hosts[0]?.host;
  return `pricebook listings migrate ${typedName(name)}${to && to !== host ? '' : ' --to HOST'}`;
}
