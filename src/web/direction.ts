import { inWords, nothing } from './words.ts';

/** `▲ +12.5 %`: sign and arrow show the direction without colour. */
export function direction(percent: string | number | null): string {
  if (percent === null) return nothing;
  const value = Number(percent);
  const said = inWords(value, 'percent');
  return value > 0 ? `▲ ${said}` : value < 0 ? `▼ ${said}` : said;
}
