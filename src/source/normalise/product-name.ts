import { measured } from './pack-measure.ts';

/**
 * A title by which equal articles are equal however it is typed: case, accents, punctuation and the spelling of amounts
 * do not count (`75cl` is `750 ML`, `4 X 100 g` is `4x100g`); every word and every amount does, and so does the plus
 * sign behind one (`Size 4+`, `SPF 50+`).
 */
export function comparableName(title: string): string {
  return folded(title)
    .replace(/(\d) ?[x×] ?(?=\d)/g, '$1x')
    .replace(amount, (whole, value: string, unit: string) => canonicalAmount(value, unit) ?? whole)
    .replace(/(\d)[.,](?=\d)/g, '$1_')
    .replace(/(?<=[\p{L}\p{N}])\+(?![\p{L}\p{N}])/gu, 'plus')
    .replace(/[^\p{L}\p{N}_%]+/gu, ' ')
    .trim();
}

/** A brand likewise: `O'Dowd's` is `O’DOWDS`. Null when nothing is left. */
export function comparableBrand(brand: string): string | null {
  const words = folded(brand)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? null : words;
}

const amount =
  /(?<![\d.,])(\d{1,5}(?:[.,]\d{1,3})?) ?(kgs?|kilos?|gms?|grams?|g|mls?|cl|ltrs?|lts?|litres?|liters?|l)\b/g;

function canonicalAmount(value: string, unit: string): string | null {
  const content = measured(value, unit);
  return content === null ? null : `${content.size}${content.measure}`;
}

function folded(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’‘`]+/g, '');
}
