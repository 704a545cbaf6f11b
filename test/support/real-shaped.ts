import type { Shelves, SmallProduct } from './small-upstream.ts';

const departments = 15;
const children = 152;
const products = 4_300;
/** Every n-th product is listed by another department as well. */
const listedTwice = 20;

/**
 * An invented tree with the numbers of a small real one: few large departments and many small ones, each with about ten
 * children.
 */
export function realShaped(): Shelves {
  const shelves: Record<string, SmallProduct[]> = {};
  const paths = Array.from({ length: children }, (_, i) => `Department ${i % departments}|Shelf ${i}`);
  for (const path of paths) shelves[path] = [];
  for (let i = 0; i < products; i += 1) {
    // Quadratic: the first shelves are several times as large as the last.
    const home = paths[Math.floor(((i * 7_919) % products) ** 2 / ((products * products) / children))]!;
    const product = { id: String(10_000 + i), breadcrumb: home.split('|') };
    shelves[home]!.push(product);
    const other = paths[(i * 31) % children]!;
    if (i % listedTwice === 0 && other.split('|')[0] !== home.split('|')[0]) shelves[other]!.push(product);
  }
  return shelves;
}
