import { measured } from './pack-measure.ts';

/**
 * Title normalised for comparison: case, accents, punctuation and spelling of amounts do not matter (`75cl` is `750
 * ML`, `4 X 100 g` is `4x100g`). Words, amounts and a plus sign after them do (`Size 4+`, `SPF 50+`).
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
