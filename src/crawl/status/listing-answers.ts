import type { ListingName } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type ListingProbe, lastProbes } from '../ledger/listing-probes.ts';

/** The last responses of a listing, to a probe or to any other request. */
export interface ListingAnswers {
  readonly lastOkAt: Date | null;
  readonly lastErrorAt: Date | null;
  readonly lastError: string | null;
  readonly probe: ListingProbe | null;
  /** Whether the key is subscribed, by the latest response that shows it; null if none does. */
  readonly isSubscribed: boolean | null;
}

export async function readListingAnswers(db: Database): Promise<ReadonlyMap<ListingName, ListingAnswers>> {
  const probes = await lastProbes(db);
  const rows = await rowsOf<Omit<ListingAnswers, 'probe' | 'isSubscribed'> & { listing: ListingName }>(
    db,
    `select listing, last_ok_at as "lastOkAt", last_error_at as "lastErrorAt", last_error as "lastError"
     from ops.listing`,
  );
  const health = new Map(rows.map((row) => [row.listing, row]));
  return new Map(
    [...new Set([...probes.keys(), ...health.keys()])].map((listing) => {
      const { lastOkAt = null, lastErrorAt = null, lastError = null } = health.get(listing) ?? {};
      const probe = probes.get(listing) ?? null;
      const answers = { lastOkAt, lastErrorAt, lastError, probe };
      return [listing, { ...answers, isSubscribed: subscribedBy(answers) }];
    }),
  );
}

/** An answer proves a subscription, a refusal that mentions it disproves it; the later one counts. */
function subscribedBy({
  lastOkAt,
  lastErrorAt,
  lastError,
}: Pick<ListingAnswers, 'lastOkAt' | 'lastErrorAt' | 'lastError'>): boolean | null {
  const isRefused = lastErrorAt !== null && /not subscribed/i.test(lastError ?? '');
  if (isRefused && (lastOkAt === null || lastOkAt < lastErrorAt)) return false;
  return lastOkAt === null ? null : true;
}
