const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** `1234567` as `1,234,567`. */
export function count(value: number): string {
  return numbers.format(value);
}

/** `75` as `1 min 15 s`; at most two units. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  return joined(Math.floor(whole / 3_600), 'h', Math.floor((whole % 3_600) / 60), 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
