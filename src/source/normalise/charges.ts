import { parseMoney } from './money.ts';

/** Charges on top of the price. */
export interface Charges {
  /** As received; null: none. */
  readonly charges: readonly unknown[] | null;
  /** Container deposits among the charges, in pence or cents; null: none. */
  readonly depositMinor: number | null;
}

/** Products have one or two charges; longer lists are ignored. */
const maxCharges = 20;
const longestCharge = 500;

/** Charges of a product, such as `[{"__typename": "ProductDepositReturnCharge", "amount": 0.15}]`. */
export function readCharges(value: unknown): Charges {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  const charges = list
    .filter((charge) => charge !== null && JSON.stringify(charge).length <= longestCharge)
    .slice(0, maxCharges);
  if (charges.length === 0) return { charges: null, depositMinor: null };
  const deposits = charges.filter((charge) => /deposit|\bdrs\b|re-?turn/i.test(JSON.stringify(charge)));
  const amounts = deposits.map(amountOf).filter((amount) => amount !== null);
  return { charges, depositMinor: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount) };
}

function amountOf(charge: unknown): number | null {
  if (typeof charge !== 'object' || charge === null) return null;
  const { amount, price, value, charge: nested } = charge as Readonly<Record<string, unknown>>;
  return parseMoney(amount ?? price ?? value ?? nested);
}
