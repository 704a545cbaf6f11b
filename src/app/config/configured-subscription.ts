import { z } from 'zod';
import { amountOf, type Listing, type Plan, type Subscription } from '../../source/listings/index.ts';
import type { Environment } from './environment.ts';

/** Parses the variables of a subscription; problems are added to the environment's mistakes. */
export function readSubscription(listing: Listing, environment: Environment): Subscription {
  const { environmentPrefix: prefix, plans, bonusOffer } = listing;
  const names = plans.map(({ name }) => name.toLowerCase());
  const PlanName = z
    .string()
    .refine((text) => names.includes(text.toLowerCase()), `must be one of ${names.join(', ')}`)
    .transform((text): Plan | null => plans[names.indexOf(text.toLowerCase())] ?? null);

  const named = environment.read(`${prefix}_PLAN`, PlanName, null);
  const price = environment.read(`${prefix}_PRICE`, Price, null);
  return {
    plan:
      price === null ? named : { ...(named ?? ownPlan), pricePerMonth: price.perMonth, isFree: isFree(named, price) },
    startedOn: environment.read(`${prefix}_SUBSCRIBED_ON`, CalendarDate, null),
    endedOn: null,
    bonusRequests: bonusOffer === null ? 0 : environment.read(`${prefix}_BONUS_REQUESTS`, Requests, 0),
    pricePerExtraRequest: price?.perExtraRequest ?? null,
  };
}

/** Plan that is known by its price only. */
const ownPlan: Plan = { name: 'Own', isFree: false, pricePerMonth: null };

function isFree(named: Plan | null, price: Price): boolean {
  return named?.isFree === true && price.perMonth.micros === 0;
}

const Price = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,6})?( ?\+ ?\d{1,6}(\.\d{1,6})?)? [A-Z]{3}$/,
    'must be a monthly price such as 9.99 USD, optionally with a price per additional request: 9.99 + 0.0005 USD',
  )
  .transform((text) => {
    const [perMonth, perExtra] = text.match(/[\d.]+/g)!;
    const currency = text.slice(-3);
    return {
      perMonth: amountOf(perMonth!, currency),
      perExtraRequest: perExtra === undefined ? null : amountOf(perExtra, currency),
    };
  });
type Price = z.output<typeof Price>;

const CalendarDate = z.iso.date('must be a date such as 2026-03-23');

const Requests = z
  .string()
  .regex(/^\d{1,12}$/, 'must be a whole number of requests per month')
  .transform(Number);
