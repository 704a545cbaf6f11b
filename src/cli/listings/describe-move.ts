import {
  describeAmount,
  hostStatusOf,
  isBilledTwice,
  type Listing,
  pricePerMonthOn,
  refundFor,
  type Subscription,
} from '../../listings/index.ts';
import { count } from '../output/words.ts';
import { deadlineWords, typedName } from './listing-words.ts';
import type { Move } from './migrate-listing.ts';

/** What came of comparing two hosts, a line each. */
export function describeRehearsal({ from, to, rehearsal }: Move): string[] {
  const { compared, isOldGone, sent } = rehearsal;
  const differing = compared.filter(({ differences }) => differences.length > 0);
  return [
    `old ${from.host} (${from.baseUrl})`,
    `new ${to.host} (${to.baseUrl})`,
    ...(isOldGone
      ? ['The old host does not answer or does not serve this key any more: the new one was held against the archive.']
      : []),
    ...compared.flatMap(({ target, against, differences }) => [
      `${differences.length === 0 ? 'same' : 'DIFFERS'}  ${shortened(target)}${against === 'the old host' ? '' : `, against ${against}`}`,
      ...differences.slice(0, mostShown).map((each) => `  ${each.about} ${each.place}: ${each.old} -> ${each.new}`),
      ...(differences.length > mostShown ? [`  and ${differences.length - mostShown} more`] : []),
    ]),
    differing.length === 0
      ? `No difference in ${count(compared.length)} requests; ${count(sent)} were sent to both hosts together.`
      : `${differing.length} of ${count(compared.length)} requests differ; ${count(sent)} were sent to both hosts together.`,
  ];
}

const mostShown = 8;

function shortened(target: string): string {
  return target.length > 70 ? `${target.slice(0, 69)}…` : target;
}

/** Whether the new listing is subscribed with the plan of the old one, as section 9 of the specification asks: what limits show of it. */
export function describePlans({ plans, rehearsal }: Move, { bonusRequests, plan }: Subscription): string {
  const [old, now] = [count(plans.old ?? 0), count(plans.new ?? 0)];
  const name = plan === null ? 'the plan of the old one' : `the plan ${plan.name}`;
  switch (plans.outcome) {
    case 'same':
      return `Both hosts allow ${now} requests a month: nothing speaks against ${name} on the new one, too.`;
    case 'bonus':
      return `The new host allows ${now} requests a month, the old one ${old}: the difference is the bonus of ${count(bonusRequests)}.`;
    case 'lower':
      return `The new host allows ${now} requests a month, the old one ${rehearsal.isOldGone ? 'allowed ' : ''}${old}: it is subscribed with a smaller plan. Subscribe to ${name} there first.`;
    case 'higher':
      return `The new host allows ${now} requests a month, the old one ${old}: it has bonus requests, or is subscribed with a larger and dearer plan. See at the gateway that it is ${name}.`;
    case 'unknown':
      return `The limits of both hosts are not known: see at the gateway that the new one is subscribed with ${name}.`;
  }
}

/** What a move means for the bill and the days that are left; `isSwitched`: from here on. */
export function describeBill(given: {
  readonly listing: Listing;
  readonly move: Move;
  readonly subscription: Subscription;
  readonly quota: number | null;
  readonly used: number;
  /** `YYYY-MM-DD`. */
  readonly on: string;
}): string[] {
  const { listing, move, subscription, quota, used, on } = given;
  const name = typedName(listing.name);
  // It answered the key, so it is subscribed; since when is not told.
  const replacing: Subscription = { ...subscription, startedOn: null, endedOn: null };
  const { deadline } = hostStatusOf(listing, move.from.host, { on });
  const lines = deadline
    ? [`The old host ${deadline.state === 'passed' ? 'had' : 'has'} to be left by ${deadlineWords(deadline)}.`]
    : [];
  if (move.rehearsal.isOldGone) return lines;
  if (isBilledTwice(on, subscription, replacing)) {
    const both = pricePerMonthOn(on, [subscription, replacing]);
    lines.push(
      `Both subscriptions are billed${both ? `, together ${describeAmount(both)} a month,` : ''} until you unsubscribe from the old one at the gateway.`,
    );
  }
  const { amount, why } = refundFor(on, { replaced: subscription, replacing, quota, used });
  lines.push(
    amount
      ? `Refund of the old plan's month, on request: ${describeAmount(amount)} (${count(used)} of ${count(quota ?? 0)} requests used)${why ? `: ${why}` : ''}.`
      : `Refund of the old plan's month, on request, by the share of its quota that was not used: ${why}; ${prefixOf(listing)}_PLAN and ${prefixOf(listing)}_MONTHLY_QUOTA tell it.`,
  );
  if (move.isSwitched) {
    lines.push(
      `Set ${prefixOf(listing)}_SUBSCRIBED_ON to the day you subscribed to the new listing: its months begin on that day.`,
      `\`pricebook listings migrate ${name} --back\` takes the move back.`,
    );
  }
  return lines;
}

const prefixOf = ({ environmentPrefix }: Listing) => environmentPrefix;
