const symbols: Readonly<Record<string, string>> = { GBP: '£', EUR: '€' };

/** `£1.20`, `-£1.20`; null where there is none. */
export function amount(value: unknown, currency: unknown): string | null {
  if (value === null || value === undefined) return null;
  const symbol = symbols[String(currency)];
  if (!symbol) return `${value} ${currency}`;
  const [, sign, digits] = /^(-?)(.*)$/.exec(String(value))!;
  return `${sign}${symbol}${digits}`;
}

/** `£2.57/litre`; null where there is none. */
export function unitAmount(value: unknown, unit: unknown, currency: unknown): string | null {
  const price = amount(value, currency);
  return price === null || unit === null || unit === undefined ? price : `${price}/${unit}`;
}

/** `+5.00 %`. */
export function share(percent: unknown): string | null {
  if (percent === null || percent === undefined) return null;
  return `${String(percent).startsWith('-') ? '' : '+'}${percent} %`;
}
