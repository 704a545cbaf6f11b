import { z } from 'zod';
import { UsageInvalid } from '../../base/errors.ts';
import type { ListingTerms } from '../../crawl/status/quota-left.ts';
import { amountOf, grocery, type Plan } from '../../source/listings/index.ts';

/** Alternative limits with their label. */
export interface Alternative {
  readonly name: string;
  readonly terms: ListingTerms;
}

/**
 * Parses `quota=50000,rate=3` into the listing's terms with other limits. `price` is per month, `extra` per request
 * beyond the quota, both in `currency`.
 */
export function readWhatIf(text: string, terms: ListingTerms): Alternative {
  const settings = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((word) => word.trim());
    const shape = shapes[name];
    if (!shape)
      throw new UsageInvalid(`--what-if does not know "${name}"; it accepts ${Object.keys(shapes).join(', ')}.`);
    if (!shape.safeParse(value).success)
      throw new UsageInvalid(`--what-if ${name}=${value} is invalid; an example is ${examples}.`);
    if (settings.has(name)) throw new UsageInvalid(`--what-if names ${name} twice.`);
    settings.set(name, value);
  }
  const number = (name: string, otherwise: number | null) =>
    settings.has(name) ? Number(settings.get(name)) : otherwise;
  return {
    name: text,
    terms: {
      ...terms,
      requestsPerSecond: number('rate', terms.requestsPerSecond)!,
      monthlyQuota: number('quota', terms.monthlyQuota),
      ...priced(terms, settings),
    },
  };
}

/** Plans on sale. Unpublished limits are those in use now; without a published price the cost is unknown. */
export function plansSold(terms: ListingTerms): Alternative[] {
  return grocery.plans.map((plan) => ({
    name: `plan ${plan.name}`,
    terms: {
      ...terms,
      isFree: false,
      monthlyQuota: null,
      subscription: { ...terms.subscription, plan },
    },
  }));
}

function priced(terms: ListingTerms, settings: ReadonlyMap<string, string>): Partial<ListingTerms> {
  const price = settings.get('price');
  const extra = settings.get('extra');
  if (price === undefined && extra === undefined) return {};
  const { subscription } = terms;
  const currency = settings.get('currency') ?? subscription.plan?.pricePerMonth?.currency ?? 'USD';
  const plan: Plan | null =
    price === undefined
      ? subscription.plan
      : { name: 'What if', pricePerMonth: amountOf(price, currency), isFree: Number(price) === 0 };
  return {
    isFree: false,
    subscription: {
      ...subscription,
      plan,
      pricePerExtraRequest: extra === undefined ? subscription.pricePerExtraRequest : amountOf(extra, currency),
    },
  };
}

const Whole = z.string().regex(/^\d{1,12}$/);
const Decimal = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/);
const shapes: Readonly<Record<string, z.ZodType>> = {
  quota: Whole,
  rate: Decimal,
  price: Decimal,
  extra: Decimal,
  currency: z.string().regex(/^[A-Z]{3}$/),
};
const examples = 'quota=50000,rate=3,price=9.99,extra=0.0005,currency=USD';
