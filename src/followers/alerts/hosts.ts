import type { Deadline } from '../../source/listings/index.ts';
import type { Condition } from './condition.ts';

/** Where a listing is asked, as far as a person may have to act. */
export interface WatchedHost {
  readonly listing: string;
  readonly host: string;
  /** Whether this host is the old one; otherwise it may be. */
  readonly isOld: boolean;
  readonly deadline: Deadline | null;
}

/** Hosts that have to be left within 30 days or had to be. */
export function hostConditions(hosts: readonly WatchedHost[]): Condition[] {
  return hosts.flatMap(({ listing, host, isOld, deadline }): Condition[] => [
    ...(deadline === null || deadline.state === 'ahead'
      ? []
      : [
          {
            kind: 'leave_host' as const,
            subject: listing,
            says: leaveWords(listing, host, isOld, deadline),
            advice: '`pricebook listings` names the command that compares the new host and switches.',
          },
        ]),
  ]);
}

function leaveWords(listing: string, host: string, isOld: boolean, { leaveBy, state }: Deadline): string {
  const due = `${state === 'passed' ? 'had' : 'has'} to be left by ${leaveBy}`;
  return isOld
    ? `${listing}: its old host ${host} ${due}.`
    : `${listing}: its old host ${due}; ${host} may be that host.`;
}
