import type { ListingName } from '../../base/model/index.ts';
import type { Deadline, HostStatus, Listing } from '../../source/listings/index.ts';
import { count } from '../output/words.ts';
import type { ListingOverview } from './read-listings.ts';

/** Name of a listing as typed in commands: `property-1`. */
export function typedName(listing: ListingName): string {
  return listing.replaceAll('_', '-');
}

/** Health in words, such as `answers` or `refuses the key`. */
export function healthOf({ isAsked, answers, spend }: ListingOverview): string {
  if (!isAsked) return 'not configured';
  switch (spend?.state) {
    case 'quota':
      return 'quota used up';
    case 'denied':
      return 'refuses the key';
    case 'failing':
      return 'failing';
    default:
  }
  const probe = answers?.probe ?? null;
  const isLatest = probe !== null && (answers?.lastOkAt ?? new Date(0)) <= probe.probedAt;
  if (isLatest && probe.outcome !== 'answered') return probeWords[probe.outcome] ?? 'answers';
  return probe === null && !answers?.lastOkAt ? 'not probed yet' : 'answers';
}

const probeWords: Readonly<Record<string, string>> = {
  denied: 'refuses the key',
  missing: 'not at this host',
  failed: 'fails',
};

export function deadlineWords({ leaveBy, days, state }: Deadline): string {
  if (state === 'passed') return `${leaveBy}, ${daysInWords(-days)} ago`;
  return days === 0 ? `${leaveBy}, today` : `${leaveBy}, in ${daysInWords(days)}`;
}

/** Command that moves a listing from this host; with `--to` if the new host is not known. */
export function migrateCommand({ name, hosts }: Listing, host: string | null): string {
  const isPlayed = hosts.some(({ simulatorHost }) => simulatorHost === host);
  const [current] = hosts;
  const to = (isPlayed ? current?.simulatorHost : current?.host) ?? null;
  const isKnown = to !== null && to !== host;
  return `pricebook listings migrate ${typedName(name)}${isKnown ? '' : ' --to HOST'}`;
}

function daysInWords(days: number): string {
  return days === 1 ? '1 day' : `${count(days)} days`;
}

/** Warnings that need action, one per line. */
export function warningsOf(overview: ListingOverview): string[] {
  const { listing, configured, isAsked, hostStatus, answers, move, isRecentMove } = overview;
  if (!isAsked) return [];
  const name = typedName(listing.name);
  const warnings: string[] = [];
  if (answers?.isSubscribed === false) {
    warnings.push(
      `${name}: the key in ${configured.keyVariable} is not subscribed. ` +
        'Subscribe at the gateway, or unset the variables of the listing.',
    );
  }
  if (hostStatus?.deadline && hostStatus.deadline.state !== 'ahead') {
    warnings.push(`${name}: ${deadlineWarning(overview, hostStatus.kind, hostStatus.deadline)}`);
  }
  if (isRecentMove) {
    warnings.push(
      `${name}: it was moved from ${move!.from.host} on ${move!.movedAt.toISOString().slice(0, 10)}. While both ` +
        'are subscribed, both are billed: unsubscribe from the old one at the gateway, if you have not.',
    );
  }
  return warnings;
}

function deadlineWarning(
  { listing, host }: Pick<ListingOverview, 'listing' | 'host'>,
  kind: HostStatus['kind'],
  deadline: Deadline,
): string {
  const command = migrateCommand(listing, host);
  const due = `${deadline.state === 'passed' ? 'had' : 'has'} to be left by ${deadlineWords(deadline)}`;
  if (kind === 'replaced') {
    return `${host} is its old host, which ${due}. \`${command}\` compares the new host and switches.`;
  }
  return (
    `its old host ${due}. If that is ${host}, \`${command}\` compares the new host and switches. ` +
    `If ${host} is the new host, \`pricebook listings migrate ${typedName(listing.name)} --current\` records it.`
  );
}
