import { type Profile, parentOf, presence, usualType } from './payload-profile.ts';
import { filled, filledShare, shareOf } from './share.ts';

interface Night {
  readonly upstream: Profile;
  readonly read: Profile;
}

/** Share of filled places above which a field counts as always present. */
const always = 0.95;
/** Fields below this share depend on the kind of offer. */
const mostly = 0.8;

/** Minimum number of places, so that a single promotion does not decide. */
const enough = 20;

/**
 * Whether the mapping misses a field that is no longer read, rather than the shop not offering it. Absence proves
 * nothing, because one promotion covers many products and all of a kind may end on one day. Evidence is another shape
 * of the payloads, or texts that are present but not understood.
 */
export function isMappingBroken(path: string, before: Night, now: Night): boolean {
  if (hasOtherShape(before.upstream, now.upstream)) return true;
  const { share } = filledShare(before.read, path) ?? { share: 0 };
  if (share >= always && !isOnSome(path, before.read)) return true;
  return (share >= mostly && isStillSaid(path, before, now)) || isNotUnderstood(path, before, now);
}

/** Whether an always present field is gone, a field has moved, or its type has changed. */
function hasOtherShape(before: Profile, now: Profile): boolean {
  const added = Object.keys(now).filter((path) => before[path] === undefined && !path.endsWith('[]'));
  return Object.keys(before).some(
    (path) => isGone(path, before, now, added) || isOfOtherType(before[path]!, now[path]),
  );
}

function isGone(path: string, before: Profile, now: Profile, added: readonly string[]): boolean {
  const [was, is] = [shareOf(before, path), shareOf(now, path)];
  if (was === null || is === null || is > was / 10) return false;
  const expected = was * (now[parentOf(path) ?? '']?.types.object ?? 0);
  if (expected < enough) return false;
  if (was >= always && !isOnSome(path, before)) return true;
  return added.some((to) => isInSameElement(path, to) && presence(now[to]!) >= expected / 2);
}

function isOfOtherType(was: Profile[string], is: Profile[string] | undefined): boolean {
  if (!is || filled(was) < enough || filled(is) < enough) return false;
  const [before, now] = [usualType(was), usualType(is)];
  return before !== null && now !== null && before !== now;
}

/** Whether all payload fields that were as frequent as the lost field, including its source, are still present. */
function isStillSaid(path: string, before: Night, now: Night): boolean {
  if (areOtherKinds(path, before, now)) return false;
  const times = filled(before.read[path]);
  const sources = Object.keys(before.upstream).filter(
    (source) => isOnSome(source, before.upstream) && Math.abs(filled(before.upstream[source]) - times) <= times / 100,
  );
  const areThere = sources.every((source) => {
    if (source.endsWith('[]')) return filled(now.upstream[source]) >= enough;
    const is = filledShare(now.upstream, source);
    return is !== null && is.share >= mostly && filled(now.upstream[source]) >= enough;
  });
  return sources.length > 0 && areThere;
}

/** Whether all kinds of offers tonight are new; their fields need not match earlier ones. */
function areOtherKinds(path: string, before: Night, now: Night): boolean {
  const kind = `${parentOf(path)}.kind`;
  const kinds = now.read[kind]?.texts;
  return path !== kind && kinds != null && !kinds.some((each) => before.read[kind]?.texts?.includes(each));
}

/** Whether texts that are not understood have increased by at least half of the loss. */
function isNotUnderstood(path: string, before: Night, now: Night): boolean {
  const kind = `${parentOf(path)}.kind`;
  const [was, is] = [filledShare(before.read, kind), filledShare(now.read, kind)];
  const lost = filledShare(before.read, path)?.share ?? 0;
  return was !== null && is !== null && is.holders >= enough && was.share - is.share >= lost / 2;
}

/**
 * Whether a field is in a list that many products have empty, such as promotions; the fields of one element then occur
 * together.
 */
function isOnSome(path: string, profile: Profile): boolean {
  for (let list: string | null = path; list !== null; list = parentOf(list))
    if (list.endsWith('[]') && (filledShare(profile, list)?.share ?? always) < always) return true;
  return false;
}

/** Whether two paths share the outermost list. */
function isInSameElement(one: string, other: string): boolean {
  const list = one.indexOf('[]');
  return list >= 0 && other.startsWith(`${one.slice(0, list)}[]`);
}
