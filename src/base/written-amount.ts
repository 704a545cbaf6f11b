const symbols: Readonly<Record<string, string>> = { GBP: '£', EUR: '€' };

/** Exact decimal with its currency: `£1.20`, `-€0.775`, `3.00 USD`; keeps all digits. `minus`: sign below zero. */
export function writtenAmount(decimal: string, currency: unknown, minus: '-' | '−'): string {
  const isNegative = decimal.startsWith('-');
  const [whole, fraction = ''] = (isNegative ? decimal.slice(1) : decimal).split('.');
  const digits = `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
  const sign = isNegative && Number(decimal) !== 0 ? minus : '';
  const symbol = symbols[String(currency)];
  return symbol === undefined ? `${sign}${digits} ${currency ?? ''}`.trim() : `${sign}${symbol}${digits}`;
}
