/** Amount of money in millionths of the currency unit, because a request costs less than a cent. */
export interface Amount {
  /** Integer. */
  readonly micros: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** `amountOf('9.99', 'USD')`, without floating-point rounding. */
export function amountOf(units: string, currency: string): Amount {
  const [whole, fraction = ''] = units.split('.');
  return { micros: Number(whole) * million + Number(fraction.padEnd(6, '0').slice(0, 6)), currency };
}

/** `9.99 USD`, `0.0005 USD`: at least two decimals, more if needed. */
export function describeAmount({ micros, currency }: Amount): string {
  return `${amountText({ micros, currency })} ${currency}`;
}

/** `9.99`: decimal text of the amount. */
export function amountText({ micros }: Amount): string {
  const size = Math.abs(micros);
  const fraction = String(size % million)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${Math.floor(size / million)}.${fraction}`;
}

const million = 1_000_000;
