import { readFileSync } from 'node:fs';
import { pick } from './hash.ts';
import type { Style } from './pack.ts';
import type { TaxonomyNode } from './taxonomy.ts';

/** Invented brands. */
const brands = rowsOf(new URL('brands.txt', import.meta.url));
const priceWords = rowsOf(new URL('price-words.txt', import.meta.url));
const descriptions = rowsOf(new URL('descriptions.txt', import.meta.url));

const fits = (names = '', path: readonly string[]) => names.split(' | ').some((name) => path.includes(name));

/** Brands that make the goods of a category, by the names of its path. `level`: factor of their prices. */
export function brandsOf(path: readonly string[]) {
  const makers = brands.filter(([, , makes]) => fits(makes, path));
  return makers.map(([name = '', level, , style = 'plain']) => ({ name, level: Number(level), style: style as Style }));
}

/** What the shop writes about goods of a category. */
export function describe({ path }: Pick<TaxonomyNode, 'path'>, draw: number): string {
  const names = path.map(({ goods }) => goods);
  const [, ...sentences] = descriptions.find(([of]) => fits(of, names))!;
  return pick(sentences, draw);
}

/** Factor of a price by the name of the product: organic goods cost more than others. */
export function levelOf(name: string): number {
  return priceWords.reduce((level, [word = '', factor]) => (name.includes(word) ? level * Number(factor) : level), 1);
}

/** Fields between colons. `#` begins a comment; four spaces continue a line. */
function rowsOf(file: URL): readonly (readonly string[])[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/\n {4}/g, ' ')
    .split('\n');
  return lines.filter((line) => /^[^#]/.test(line)).map((line) => line.split(' : '));
}
