import type { Listing, ListingHost } from './listing.ts';

/** Days before a deadline at which warnings start. */
const nearDays = 30;

/** Status of a host of a listing. */
export interface HostStatus {
  /** `replaced`: the registry has a newer host; `unknown`: the registry has no published names to compare. */
  readonly kind: 'current' | 'replaced' | 'unknown';
  /** Date by which callers must leave the host, or possibly must if the host is unknown. */
  readonly deadline: Deadline | null;
}

export interface Deadline {
  /** `YYYY-MM-DD`. */
  readonly leaveBy: string;
  readonly state: 'ahead' | 'near' | 'passed';
  /** Remaining days; negative after the deadline. */
  readonly days: number;
}

/**
 * Status of a host on a date. `isNew`: the listing has been moved to it. A host that has answered after the last day of
 * the old one is the new one.
 */
export function hostStatusOf(
  listing: Pick<Listing, 'hosts'>,
  host: string,
  { on, isNew = false, answeredOn = null }: { on: string; isNew?: boolean; answeredOn?: string | null },
): HostStatus {
  const known = listing.hosts.find((entry) => entry.host === host || entry.simulatorHost === host);
  if (known) {
    const isReplaced = known.leaveBy !== null;
    return { kind: isReplaced ? 'replaced' : 'current', deadline: isReplaced ? deadlineOf(known, on) : null };
  }
  const unnamed = listing.hosts.find((entry) => entry.host === null && entry.leaveBy !== null);
  if (isNew || (unnamed && (answeredOn ?? '') > unnamed.leaveBy!)) return { kind: 'current', deadline: null };
  return { kind: 'unknown', deadline: unnamed ? deadlineOf(unnamed, on) : null };
}

function deadlineOf({ leaveBy }: ListingHost, on: string): Deadline {
  const days = Math.round((Date.parse(leaveBy!) - Date.parse(on)) / 86_400_000);
  return { leaveBy: leaveBy!, state: days < 0 ? 'passed' : days <= nearDays ? 'near' : 'ahead', days };
}
