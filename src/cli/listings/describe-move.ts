import {
  describeAmount,
  hostStatusOf,
  isBilledTwice,
  type Listing,
  pricePerMonthOn,
  refundFor,
  type Subscription,
} from '../../source/listings/index.ts';
import { count } from '../output/words.ts';
import { deadlineWords, typedName } from './listing-words.ts';
import type { Move } from './migrate-listing.ts';

/** Lines that describe the comparison of two hosts. */
export function describeProbe({ from, to, probe }: Move): string[] {
  const { compared, isOldGone, sent } = probe;
  const differing = compared.filter(({ differences }) => differences.length > 0);
  const sentWords = `${count(sent)} were sent to both hosts together.`;
  return [
    `old ${from.host} (${from.baseUrl})`,
    `new ${to.host} (${to.baseUrl})`,
    ...(isOldGone
      ? ['The old host no longer answers or no longer accepts this key: only the new host was checked.']
      : []),
    ...compared.flatMap(({ target, against, differences }) => [
      `${differences.length > 0 ? 'DIFFERS' : against === 'nothing' ? 'answered' : 'same'}  ${shortened(target)}`,
      ...differences.slice(0, mostShown).map((each) => `  ${each.about} ${each.place}: ${each.old} -> ${each.new}`),
      ...(differences.length > mostShown ? [`  and ${differences.length - mostShown} more`] : []),
    ]),
    summaryOf(compared, differing.length, sentWords),
  ];
}

const mostShown = 8;

function summaryOf(compared: Move['probe']['compared'], differing: number, sentWords: string): string {
  if (differing > 0) return `${differing} of ${requestsOf(compared.length)} differ; ${sentWords}`;
  const { length: held } = compared.filter(({ against }) => against === 'the old host');
  const alone = compared.length - held;
  if (held === 0) return `Not compared: ${requestsOf(alone)} went to the new host alone; ${sentWords}`;
  const rest = alone === 0 ? '' : ` ${requestsOf(alone)} went to the new host alone and were not compared;`;
  return `No difference in ${requestsOf(held)};${rest} ${sentWords}`;
}

const requestsOf = (requests: number): string => (requests === 1 ? '1 request' : `${count(requests)} requests`);

function shortened(target: string): string {
  return target.length > 70 ? `${target.slice(0, 69)}…` : target;
}

/** Compares the plan of the new host with the old one. */
export function describePlan({ plan }: Move): string {
  if (plan.outcome === 'unknown')
    return 'The limits of the hosts are unknown: check at the gateway that the new one has the same plan.';
  const allowed = `The new host allows ${count(plan.new ?? 0)} requests a month, the old one ${count(plan.old ?? 0)}`;
  if (plan.outcome === 'lower') return `${allowed}: it has a smaller plan. Subscribe to the same plan there first.`;
  return plan.outcome === 'same' ? `${allowed}.` : `${allowed}: it has bonus requests, or a larger and dearer plan.`;
}

/** Effect of a move on the bill, and the remaining days of the old host. `isSwitched`: the move is done. */
export function describeBill(given: {
  readonly listing: Listing;
  readonly move: Move;
  readonly subscription: Subscription;
  readonly quota: number | null;
  readonly used: number;
  /** Date as `YYYY-MM-DD`. */
  readonly on: string;
}): string[] {
  const { listing, move, subscription, quota, used, on } = given;
  const name = typedName(listing.name);
  // The new host accepted the key, so it is subscribed; the start date is unknown.
  const replacing: Subscription = { ...subscription, startedOn: null, endedOn: null };
  const { deadline } = hostStatusOf(listing, move.from.host, { on });
  const lines = deadline ? [`Deadline for leaving the old host: ${deadlineWords(deadline)}.`] : [];
  if (move.probe.isOldGone)
    lines.push(
      'The old host does not accept this key. Check at the gateway whether you are still subscribed to it; ' +
        'if so, it is billed until you unsubscribe.',
    );
  else if (isBilledTwice(on, subscription, replacing)) {
    const both = pricePerMonthOn(on, [subscription, replacing]);
    lines.push(
      `Both subscriptions are billed${both ? `, together ${describeAmount(both)} a month,` : ''} ` +
        'until you unsubscribe from the old one at the gateway.',
    );
  }
  const { amount, why } = refundFor(on, { replaced: subscription, replacing, quota, used });
  lines.push(
    amount
      ? `Refund of the old plan's month, on request: ${describeAmount(amount)} ` +
          `(${count(used)} of ${count(quota ?? 0)} requests used)${why ? `: ${why}` : ''}.`
      : `Refund of the old plan's month, on request, in proportion to its unused quota: ${why}; ` +
          `set ${prefixOf(listing)}_PLAN and ${prefixOf(listing)}_MONTHLY_QUOTA to compute it.`,
  );
  if (move.isSwitched) {
    lines.push(
      `Set ${prefixOf(listing)}_SUBSCRIBED_ON to the day of your subscription: billing months start on that day.`,
      `\`pricebook listings migrate ${name} --back\` undoes the move.`,
    );
  }
  return lines;
}

const prefixOf = ({ environmentPrefix }: Listing) => environmentPrefix;
