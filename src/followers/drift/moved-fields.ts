import { type Profile, presence, usualType } from './payload-profile.ts';
import { lostPaths, shareOf } from './share.ts';

/**
 * New paths of lost fields by old path, scored by type, name, size of numbers, structure and frequency. Each new path
 * is assigned once, best score first.
 */
export function findMovedFields(before: Profile, now: Profile): ReadonlyMap<string, string> {
  const added = Object.keys(now).filter((path) => before[path] === undefined);
  const candidates = leavingPaths(before, now)
    .flatMap((old) => added.map((path) => ({ old, path, points: similarity(old, path, before, now) })))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points || (one.path < other.path ? -1 : 1));
  const moved = new Map<string, string>();
  const taken = new Set<string>();
  for (const { old, path } of candidates) {
    if (moved.has(old) || taken.has(path)) continue;
    moved.set(old, path);
    taken.add(path);
  }
  return moved;
}

/** Lost paths, and values that became objects and may now contain the field. */
function leavingPaths(before: Profile, now: Profile): readonly string[] {
  const turned = Object.keys(before).filter((path) => {
    const [was, is] = [before[path]!, now[path]];
    return is && presence(was) > 0 && usualType(was) !== 'object' && usualType(is) === 'object';
  });
  return [...new Set([...turned, ...lostPaths(before, now)])].filter((path) => !path.endsWith('[]'));
}

/** Number of matching properties minus mismatches; 0 or less: another field. */
function similarity(old: string, path: string, before: Profile, now: Profile): number {
  const [was, is] = [before[old]!, now[path]!];
  const type = usualType(was);
  if (path.endsWith('[]') || type === null || type !== usualType(is) || !sharesElement(old, path)) return 0;
  let points = nameOf(old) === nameOf(path) ? 1 : 0;
  const [shareWas, shareIs] = [shareOf(before, old), shareOf(now, path)];
  if (shareWas !== null && shareIs !== null && Math.abs(shareWas - shareIs) < 0.1) points += 1;
  if (was.numbers?.nonZero && is.numbers?.nonZero) {
    const apart = Math.abs(was.numbers.logs / was.numbers.nonZero - is.numbers.logs / is.numbers.nonZero);
    points += apart < Math.log(2) ? 1 : -1;
  }
  const [children, childrenNow] = [childrenOf(before, old), childrenOf(now, path)];
  const all = new Set([...children, ...childrenNow]).size;
  const common = [...children].filter((name) => childrenNow.has(name)).length;
  // Structure has more weight than a name.
  if (all > 0) points += common / all >= 0.5 ? 2 : -2;
  return points;
}

/** Names below a path, including in lists. */
function childrenOf(profile: Profile, path: string): ReadonlySet<string> {
  const within = Object.keys(profile).filter((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[]`));
  return new Set(within.map((other) => other.slice(path.length)).filter((rest) => rest !== '[]'));
}

/** Whether two paths are in the same list element, or both outside of lists: a field stays within its product. */
function sharesElement(old: string, path: string): boolean {
  const list = old.lastIndexOf('[]');
  return list < 0 ? !path.slice(0, path.lastIndexOf('.') + 1).includes('[]') : path.startsWith(old.slice(0, list + 2));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
