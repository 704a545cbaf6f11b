import { type Profile, parentOf, presence } from './payload-profile.ts';

/** Holders that must have been seen on either side before a share means something. */
export const fewestHolders = 5;

/** In which share of the objects around it a field is there; null where they are too few. */
export function shareOf(profile: Profile, path: string): number | null {
  const parent = parentOf(path);
  if (parent === null || path.endsWith('[]')) return null;
  const holders = profile[parent]?.types.object ?? 0;
  if (holders < fewestHolders) return null;
  const at = profile[path];
  return at ? presence(at) / holders : 0;
}

/** Whether a field that most objects around it had is in at most a tenth as many. */
export function isLost(path: string, before: Profile, now: Profile): boolean {
  const [was, is] = [shareOf(before, path), shareOf(now, path)];
  return was !== null && is !== null && was >= 0.5 && is <= was / 10;
}

/** Lost paths, without those below another lost path. */
export function lostPaths(before: Profile, now: Profile): readonly string[] {
  const lost = new Set(Object.keys(before).filter((path) => isLost(path, before, now)));
  return [...lost].filter((path) => {
    for (let parent = parentOf(path); parent !== null; parent = parentOf(parent)) if (lost.has(parent)) return false;
    return true;
  });
}

/** Paths that were never there before. */
export function newPaths(before: Profile, now: Profile): readonly string[] {
  return Object.keys(now).filter((path) => before[path] === undefined);
}

/** How often a field of what is read says something, for each that could. Of list elements: how many a list has. */
export function filledShare(
  profile: Profile,
  path: string,
): { readonly share: number; readonly holders: number } | null {
  const parent = profile[parentOf(path) ?? ''];
  const holders = parent?.types[path.endsWith('[]') ? 'array' : 'object'] ?? 0;
  if (holders < 10) return null;
  const at = profile[path];
  return { share: at ? filled(at) / holders : 0, holders };
}

/** How often it is there and not null. */
export function filled(at: Profile[string] | undefined): number {
  return at ? presence(at) - (at.types.null ?? 0) : 0;
}
