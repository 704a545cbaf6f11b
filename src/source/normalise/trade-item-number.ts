/**
 * Whether 14 digits identify an article worldwide: the check digit is valid and the number is not in a range for
 * internal use (GS1 General Specifications 1.4: prefixes 02, 04, 20 to 29, coupons and refunds 980 to 984 and 99; in
 * GTIN-8 leading 0 or 2) or for variable weight (leading 9).
 */
export function isTradeItemNumber(gtin: string): boolean {
  if (!/^\d{14}$/.test(gtin) || checkDigit(gtin.slice(0, 13)) !== gtin[13]) return false;
  if (gtin.startsWith('000000')) return !/^[02]/.test(gtin.slice(6));
  return gtin[0] !== '9' && !/^(?:0[24]|2|98[0-4]|99)/.test(gtin.slice(1));
}

/**
 * GS1 check digit: digits weighted 3 and 1 alternately, 3 next to the check digit, complemented to a multiple of ten.
 */
export function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
