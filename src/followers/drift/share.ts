import { type PathProfile, type Profile, parentOf, presence, usualType } from './payload-profile.ts';

/** Minimum number of holders on either side for a meaningful share. */
export const fewestHolders = 5;

/** Share of parent objects that have the field; null if there are too few. */
export function shareOf(profile: Profile, path: string): number | null {
  const parent = parentOf(path);
  if (parent === null || path.endsWith('[]')) return null;
  const holders = profile[parent]?.types.object ?? 0;
  if (holders < fewestHolders) return null;
  const at = profile[path];
  return at ? presence(at) / holders : 0;
}

/** Whether a field of most parents is now in at most a tenth as many. */
export function isLost(path: string, before: Profile, now: Profile): boolean {
  const [was, is] = [shareOf(before, path), shareOf(now, path)];
  return was !== null && is !== null && was >= 0.5 && is <= was / 10;
}

/** Whether nearly all values are of another type than before. */
export function isOfOtherType(was: PathProfile, is: PathProfile | undefined): boolean {
  if (!is || presence(was) < fewestHolders || presence(is) < fewestHolders) return false;
  const [before, now] = [usualType(was), usualType(is)];
  return before !== null && now !== null && before !== now;
}

/** Lost paths, without those below other lost paths. */
export function lostPaths(before: Profile, now: Profile): readonly string[] {
  const lost = new Set(Object.keys(before).filter((path) => isLost(path, before, now)));
  return [...lost].filter((path) => {
    for (let parent = parentOf(path); parent !== null; parent = parentOf(parent)) if (lost.has(parent)) return false;
    return true;
  });
}

/** Share of parents with a non-null field in the parsed result; for list elements, their average number per list. */
export function filledShare(
  profile: Profile,
  path: string,
): { readonly share: number; readonly holders: number } | null {
  const parent = profile[parentOf(path) ?? ''];
  const holders = parent?.types[path.endsWith('[]') ? 'array' : 'object'] ?? 0;
  if (holders < 10) return null;
  const at = profile[path];
  return { share: at ? (presence(at) - (at.types.null ?? 0)) / holders : 0, holders };
}
