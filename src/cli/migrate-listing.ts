import { InvalidArgumentError } from 'commander';
import { composeAskAt } from '../app/compose/upstream.ts';
import type { Base } from '../app/compose.ts';
import { parseBaseUrl } from '../app/config/base-url.ts';
import { BaseUrlText } from '../app/config/variable-types.ts';
import { listingsInUse } from '../app/listings-in-use.ts';
import { kindOf, MoveRefused, UsageInvalid } from '../base/errors.ts';
import { addressAfter, isSameAddress, type ListingAddress, moveBack, moveListing, readMoves } from '../crawl/moves.ts';
import { askForProbe, type Checked, checkContract, recordedRequests } from '../crawl/probe.ts';
import { readListings } from '../crawl/run/listing-status.ts';
import type { Listing } from '../source/listings/index.ts';
import { using } from './closing.ts';
import type { ValuesOf } from './define-verb.ts';
import { explainRefusal } from './explain-refusal.ts';
import { flag, option } from './option-values.ts';

export const moveOptions = {
  dryRun: flag('--dry-run', 'probe only'),
  to: option('--to <host>', 'the new host or base URL (default: the known one)', String),
  request: option(
    '--request <path>',
    'send this path and query; may be repeated (default: the last request of each endpoint)',
    addRequest,
  ),
  despiteDifferences: flag('--despite-differences', 'switch even if an answer is not as expected'),
};

function addRequest(text: string, before: readonly string[] | undefined): readonly string[] {
  if (!/^\/[^\s]*$/.test(text))
    throw new InvalidArgumentError('It must be a path such as /category-page?categoryId=b%3B…&pageNo=1.');
  return [...(before ?? []), text];
}

/** Probes the new host of a listing, and switches to it if its answers fulfil their contracts. */
export async function migrateListing(
  base: Base,
  listing: Listing,
  { to: wanted, request, dryRun = false, despiteDifferences = false }: ValuesOf<typeof moveOptions>,
  signal: AbortSignal,
) {
  const { config, db, clock } = base;
  const { name } = listing;
  const from = await presentAddress(base, listing);
  const to = newAddress(listing, from, wanted);
  if (isSameAddress(from, to)) throw new UsageInvalid(`${name} already uses ${to.host}.`);
  const requests = request ?? (await recordedRequests(db, name, from.host));
  const checked = await checkHost(base, listing, to, requests, signal);
  const switched = !dryRun && (despiteDifferences || checked.every(({ problem }) => problem === null));
  if (switched) {
    const now = clock.now();
    const listings = await readListings(db, now, listingsInUse(config));
    const unitsUsed = listings.find((each) => each.listing === name)?.requestsSpent ?? 0;
    await moveListing(db, { listing: name, from, to, now, unitsUsed, unitsUsedThere: checked.length });
  }
  return { from, to, checked, switched };
}

/** Sends the listing's probe and further requests to a host. Throws `MoveRefused` if the host cannot be used. */
async function checkHost(
  base: Base,
  { name }: Listing,
  to: ListingAddress,
  requests: readonly string[],
  signal: AbortSignal,
): Promise<readonly Checked[]> {
  return using(Promise.resolve(composeAskAt(base, name, to)), async ({ ask }) => {
    const problem = await askForProbe({ ask }, name, signal)
      .then(() => null)
      .catch((error: Error) => {
        signal.throwIfAborted();
        if (kindOf(error) === 'contract') return error.message;
        throw new MoveRefused(name, explainRefusal(error, base.config.listings[name], to.host) ?? error.message);
      });
    const checked = [{ request: 'the health probe', problem }];
    for (const request of requests) checked.push(await checkContract(ask, name, request, signal));
    return checked;
  });
}

/** Takes the last move of a listing back. Returns the host in use again. */
export async function takeBack(base: Base, listing: Listing): Promise<ListingAddress> {
  const { db, clock } = base;
  const present = await presentAddress(base, listing);
  const move = (await readMoves(db)).findLast(
    (each) => each.listing === listing.name && isSameAddress(each.to, present) && !isSameAddress(each.from, present),
  );
  if (!move) throw new MoveRefused(listing.name, 'no move of this listing is recorded, so there is nothing to undo');
  await moveBack(db, move, clock.now());
  return move.from;
}

async function presentAddress({ config, db }: Base, { name, environmentPrefix }: Listing): Promise<ListingAddress> {
  const { baseUrl, host } = config.listings[name];
  if (baseUrl !== null) return addressAfter(await readMoves(db), name, { baseUrl, host });
  const why = `it is not configured, so there is no host to move from. Set ${environmentPrefix}_HOST to its old host`;
  throw new MoveRefused(name, why);
}

/**
 * A host name without URL keeps the way of access: by its own name at the gateway, or through a local address that
 * serves every host.
 */
function newAddress({ name, hosts }: Listing, from: ListingAddress, wanted: string | undefined): ListingAddress {
  const old = parseBaseUrl(from.baseUrl);
  const [current] = hosts;
  const given = wanted ?? (old.local ? current?.simulatorHost : current?.host) ?? null;
  if (given === null)
    throw new UsageInvalid(
      `The new host of ${name} is unknown. Pass it as --to HOST; the listing's own page at the gateway shows it.`,
    );
  if (/^https?:/.test(given)) {
    const { data, error } = BaseUrlText.safeParse(given);
    if (error) throw new UsageInvalid(`--to ${error.issues[0]!.message}.`);
    return { baseUrl: data.url, host: data.hostname };
  }
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(given))
    throw new UsageInvalid('--to must be a host name or a base URL.');
  return {
    baseUrl: old.hostname === from.host ? from.baseUrl.replace(old.hostname, given) : from.baseUrl,
    host: given,
  };
}
