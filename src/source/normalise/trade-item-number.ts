/**
 * Whether 14 digits name one article for the whole world: the check digit is right, and the number is not of a range
 * that GS1 leaves to shops and companies (GS1 General Specifications 1.4: prefixes 02, 04 and 20 to 29, coupons and
 * refunds 981 to 984 and 99, 980; in GTIN-8 those that begin with 0 or 2), nor of goods whose weight varies (a leading
 * 9).
 */
export function isTradeItemNumber(gtin: string): boolean {
  if (!/^\d{14}$/.test(gtin) || checkDigit(gtin.slice(0, 13)) !== gtin[13]) return false;
  if (gtin.startsWith('000000')) return !/^[02]/.test(gtin.slice(6));
  return gtin[0] !== '9' && !/^(?:0[24]|2|98[0-4]|99)/.test(gtin.slice(1));
}

/** GS1's: digits weighted 3 and 1 by turns, 3 next to the check digit, filled up to ten. */
export function checkDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
