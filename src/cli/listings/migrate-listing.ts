import { unwind } from '../../app/compose/closers.ts';
import { accountAt, composeHosts } from '../../app/compose/hosts.ts';
import type { Base } from '../../app/compose.ts';
import { parseBaseUrl } from '../../app/config/base-url.ts';
import { MoveRefused, UsageInvalid } from '../../base/errors.ts';
import type { ListingName } from '../../base/model/index.ts';
import { addressAfter, isSameAddress, type ListingAddress, readMoves } from '../../crawl/ledger/listing-moves.ts';
import { type HostProbe, probeHosts, recordedRequests } from '../../crawl/moving/probe-hosts.ts';
import { confirmHost, switchBack, switchHost } from '../../crawl/moving/switch-host.ts';
import { rowsOf } from '../../db/rows.ts';
import { hostStatusOf, listings as registry } from '../../source/listings/index.ts';

interface MoveOptions {
  /** Host name or base URL of the new listing; null: the current host of the registry. */
  readonly to: string | null;
  /** Paths with queries to compare; empty: recorded requests. */
  readonly requests: readonly string[];
  readonly isDryRun: boolean;
  readonly isDespiteDifferences: boolean;
}

export interface Move {
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  readonly probe: HostProbe;
  /** Requests per month on each host, if known, and the comparison of the plans. */
  readonly plan: PlanComparison;
  /** No differences, and the new plan is not smaller. */
  readonly isClean: boolean;
  readonly isSwitched: boolean;
  /** Requests of the old subscription's month, those of this comparison among them. */
  readonly unitsUsed: number;
}

interface PlanComparison {
  readonly old: number | null;
  readonly new: number | null;
  readonly outcome: 'same' | 'lower' | 'higher' | 'unknown';
}

/** Compares both hosts of a listing and switches if nothing differs and the new plan is not smaller. */
export async function migrateListing(
  base: Base,
  listing: ListingName,
  { to: wanted, requests, isDryRun, isDespiteDifferences }: MoveOptions,
  signal: AbortSignal,
): Promise<Move> {
  const { config, db, clock } = base;
  const { keyVariable } = config.listings[listing];
  const { configured, from } = await presentAddress(base, listing);
  const to = newAddress(listing, from, wanted);
  if (isSameAddress(from, to)) throw new UsageInvalid(`${listing} already uses ${to.host}.`);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const ask = composeHosts(base, { closers, signal });
    const probe = await probeHosts({
      listing,
      from,
      to,
      targets: await targetsOf(base, listing, from, requests),
      keyVariable,
      now: clock.now(),
      ask: (address, target) => ask(listing, address, target),
    });
    await unwind(closers);
    const plan = comparePlans(probe.quotas.old ?? (await knownQuota(base, listing)), probe.quotas.new);
    const isClean = probe.compared.every(({ differences }) => differences.length === 0) && plan.outcome !== 'lower';
    const used = await unitsUsed(base, listing);
    const isSwitched = !isDryRun && (isClean || isDespiteDifferences);
    if (isSwitched) {
      await switchHost(db, {
        listing,
        configured,
        from,
        to,
        now: clock.now(),
        unitsUsed: used,
        unitsUsedThere: await unitsUsed(base, accountAt(listing, to)),
      });
    }
    return { listing, from, to, probe, plan, isClean, isSwitched, unitsUsed: used };
  } finally {
    await unwind(closers);
  }
}

/** Undoes the last move of a listing. Returns the host in use again. */
export async function moveBack(base: Base, listing: ListingName): Promise<ListingAddress> {
  const { db, clock } = base;
  const { from: present } = await presentAddress(base, listing);
  const move = (await readMoves(db)).findLast(
    (each) => each.listing === listing && each.rolledBackAt === null && isSameAddress(each.to, present),
  );
  if (!move) throw new MoveRefused(listing, 'no move of this listing is recorded, so there is nothing to undo');
  await switchBack(db, {
    move,
    now: clock.now(),
    unitsSpentSince: await unitsUsed(base, accountAt(listing, move.from)),
  });
  return move.from;
}

/** Records that the host a listing is asked at is the current one. Returns its address. */
export async function confirmCurrent(base: Base, listing: ListingName): Promise<ListingAddress> {
  const { db, clock } = base;
  const { from: address } = await presentAddress(base, listing);
  const now = clock.now();
  const { kind } = hostStatusOf(registry[listing], address.host, { on: now.toISOString().slice(0, 10) });
  if (kind === 'replaced') throw new MoveRefused(listing, `${address.host} is known as its old host`);
  await confirmHost(db, { listing, address, now });
  return address;
}

async function presentAddress({ config, db }: Base, listing: ListingName) {
  const { baseUrl, host } = config.listings[listing];
  if (baseUrl === null) {
    const prefix = registry[listing].environmentPrefix;
    throw new MoveRefused(
      listing,
      `it is not configured, so there is no host to move from. Set ${prefix}_HOST to its old host`,
    );
  }
  const configured: ListingAddress = { baseUrl, host };
  return { configured, from: addressAfter(await readMoves(db), listing, configured) };
}

/**
 * A host name without URL keeps the way of access: by its own name at the gateway, or through a local address that
 * serves every host.
 */
function newAddress(listing: ListingName, from: ListingAddress, wanted: string | null): ListingAddress {
  const old = parseBaseUrl(from.baseUrl);
  const [current] = registry[listing].hosts;
  const given = wanted ?? (old.local ? current?.simulatorHost : current?.host) ?? null;
  if (given === null) {
    throw new UsageInvalid(
      `The new host of ${listing} is unknown. Pass it as --to HOST; the listing's own page at the gateway shows it.`,
    );
  }
  if (/^https?:/.test(given)) {
    try {
      const { url, hostname } = parseBaseUrl(given);
      return { baseUrl: url, host: hostname };
    } catch (error) {
      throw new UsageInvalid(`--to ${(error as Error).message}.`);
    }
  }
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(given))
    throw new UsageInvalid('--to must be a host name or a base URL.');
  const baseUrl = old.hostname === from.host ? from.baseUrl.replace(old.hostname, given) : from.baseUrl;
  return { baseUrl, host: given };
}

async function targetsOf(
  { db }: Base,
  listing: ListingName,
  { host }: ListingAddress,
  given: readonly string[],
): Promise<readonly string[]> {
  if (given.length > 0) return given;
  return [...new Set([registry[listing].probeTarget, ...(await recordedRequests(db, listing, host))])];
}

/** Responses do not name a plan, so the monthly quotas are compared. 0 is unlimited. */
function comparePlans(old: number | null, fresh: number | null): PlanComparison {
  const quotas = { old, new: fresh };
  if (!old || fresh === null) return { ...quotas, outcome: 'unknown' };
  return { ...quotas, outcome: fresh === old ? 'same' : fresh < old ? 'lower' : 'higher' };
}

/** Monthly quota of an old host that is gone: as configured, or from its last headers. */
async function knownQuota({ config, db }: Base, listing: ListingName): Promise<number | null> {
  const { monthlyQuota } = config.listings[listing];
  const [kept] = await rowsOf<{ quota: number | null }>(
    db,
    'select quota_limit as quota from ops.listing where listing = $1',
    [listing],
  );
  return monthlyQuota ?? kept?.quota ?? null;
}

async function unitsUsed({ db, clock }: Base, account: string): Promise<number> {
  const [row] = await rowsOf<{ units: number }>(
    db,
    `select coalesce(
       (select used from ops.listing
        where listing = $1 and month_limit is not null and month_starts_at <= $2 and $2 < month_ends_at),
       (select sum(sent)::bigint from ops.spend
        where listing = $1 and hour >= date_trunc('month', $2::timestamptz) and hour <= $2),
       0) as units`,
    [account, clock.now()],
  );
  return Number(row!.units);
}
