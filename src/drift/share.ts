import { type Census, parentOf, presence } from './census.ts';

/** Holders that must have been seen on either side before a share means something. */
export const fewestHolders = 5;

/** In which share of the objects around it a field is there; null where they are too few. */
export function shareOf(census: Census, path: string): number | null {
  const parent = parentOf(path);
  if (parent === null || path.endsWith('[]')) return null;
  const holders = census[parent]?.types.object ?? 0;
  if (holders < fewestHolders) return null;
  const at = census[path];
  return at ? presence(at) / holders : 0;
}

/** How often a field of what is read says something, for each that could. Of list elements: how many a list has. */
export function filledShare(census: Census, path: string): { readonly share: number; readonly holders: number } | null {
  const parent = census[parentOf(path) ?? ''];
  const holders = parent?.types[path.endsWith('[]') ? 'array' : 'object'] ?? 0;
  if (holders < 10) return null;
  const at = census[path];
  return { share: at ? filled(at) / holders : 0, holders };
}

/** How often it is there and not null. */
export function filled(at: Census[string] | undefined): number {
  return at ? presence(at) - (at.types.null ?? 0) : 0;
}
