import type { Listing, ListingHost } from './listing.ts';

/** How near the end of a host is a warning. */
const nearDays = 30;

/** What is known of a host that a listing is asked at. */
export interface HostStatus {
  /** `replaced`: the registry has a newer one; `unknown`: the registry cannot tell, as neither name is published. */
  readonly kind: 'current' | 'replaced' | 'unknown';
  /** The day by which callers are to have left it, or may have to where it is not known which host it is. */
  readonly deadline: Deadline | null;
}

export interface Deadline {
  /** `YYYY-MM-DD`. */
  readonly leaveBy: string;
  readonly state: 'ahead' | 'near' | 'passed';
  /** Days to go; negative: since. */
  readonly days: number;
}

/** What is known of a host of a listing on a day. `isNew`: the listing was moved to it. */
export function hostStatusOf(
  listing: Pick<Listing, 'hosts'>,
  host: string,
  { on, isNew = false }: { on: string; isNew?: boolean },
): HostStatus {
  const known = listing.hosts.find((entry) => entry.host === host || entry.simulatorHost === host);
  if (known) {
    const isReplaced = known.leaveBy !== null;
    return { kind: isReplaced ? 'replaced' : 'current', deadline: isReplaced ? deadlineOf(known, on) : null };
  }
  if (isNew) return { kind: 'current', deadline: null };
  const unnamed = listing.hosts.find((entry) => entry.host === null && entry.leaveBy !== null);
  return { kind: 'unknown', deadline: unnamed ? deadlineOf(unnamed, on) : null };
}

function deadlineOf({ leaveBy }: ListingHost, on: string): Deadline {
  const days = Math.round((Date.parse(leaveBy!) - Date.parse(on)) / 86_400_000);
  return { leaveBy: leaveBy!, state: days < 0 ? 'passed' : days <= nearDays ? 'near' : 'ahead', days };
}
