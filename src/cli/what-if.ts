import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import type { ListingTerms } from '../crawl/run/quota-left.ts';
import { amountOf, grocery } from '../source/listings/index.ts';

const decimal = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/);
const quota = z.string().regex(/^\d{1,12}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** `price` is per month, `extra` per request beyond the quota, both in `currency`. */
const Limits = z.strictObject({ quota, rate: decimal, price: decimal, extra: decimal, currency }).partial();

/** Parses `quota=50000,rate=3` into the listing's terms with other limits, followed by the plans on sale. */
export function readWhatIf(text: string, terms: ListingTerms) {
  const parts = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const { data: limits } = Limits.safeParse(Object.fromEntries(parts));
  if (!limits)
    throw new UsageInvalid(
      `--what-if ${text} is invalid; an example is quota=50000,rate=3,price=9.99,extra=0.0005,currency=USD.`,
    );
  const { price, extra } = limits;
  const { plan, pricePerExtraRequest } = terms.subscription;
  const inCurrency = limits.currency ?? plan?.pricePerMonth?.currency ?? 'USD';
  const subscription = {
    ...terms.subscription,
    plan: price === undefined ? plan : { name: 'What if', pricePerMonth: amountOf(price, inCurrency) },
    pricePerExtraRequest: extra === undefined ? pricePerExtraRequest : amountOf(extra, inCurrency),
  };
  const others = {
    monthlyQuota: limits.quota === undefined ? terms.monthlyQuota : Number(limits.quota),
    requestsPerSecond: limits.rate === undefined ? terms.requestsPerSecond : Number(limits.rate),
    isFree: terms.isFree && price === undefined && extra === undefined,
  };
  return [
    { name: text, terms: { ...terms, ...others, subscription } },
    // Unpublished limits are those in use now; without a published price the cost is unknown.
    ...grocery.plans.map((onSale) => ({
      name: `plan ${onSale.name}`,
      terms: { ...terms, isFree: false, monthlyQuota: null, subscription: { ...terms.subscription, plan: onSale } },
    })),
  ];
}
