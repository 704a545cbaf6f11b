/** Money of a subscription: millionths of the currency's unit, since a single request costs less than a cent. */
export interface Amount {
  /** A whole number. */
  readonly micros: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** `amountOf('9.99', 'USD')`: exact, without a float in between. */
export function amountOf(units: string, currency: string): Amount {
  const [whole, fraction = ''] = units.split('.');
  return { micros: Number(whole) * million + Number(fraction.padEnd(6, '0').slice(0, 6)), currency };
}

/** `9.99 USD`, `0.0005 USD`: at least two decimals, no more than it takes. */
export function describeAmount({ micros, currency }: Amount): string {
  return `${unitsOf({ micros, currency })} ${currency}`;
}

/** `9.99`: the units as a decimal text. */
export function unitsOf({ micros }: Amount): string {
  const size = Math.abs(micros);
  const fraction = String(size % million)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${Math.floor(size / million)}.${fraction}`;
}

const million = 1_000_000;
