import { type Profile, parentOf, presence, usualType } from './payload-profile.ts';
import { filled, filledShare, shareOf } from './share.ts';

interface Night {
  readonly upstream: Profile;
  readonly read: Profile;
}

/** Fields that are there in fewer of their places are there sometimes: a shop may have none of them tonight. */
const always = 0.95;
/** Fields that are there in fewer of their places depend on what kind of offer it is. */
const mostly = 0.8;

/** So many places that they are not those of one promotion alone. */
const enough = 20;

/**
 * Whether a field that is read no more is missed by the mapping, rather than absent from what the shop offers. Absence
 * alone tells nothing: one promotion is on many products, and all of a kind may end on one day. The payloads tell:
 * their shape is another one, or they still say what is read no more, in words that are not understood.
 */
export function isMappingBroken(path: string, before: Night, now: Night): boolean {
  if (hasOtherShape(before.upstream, now.upstream)) return true;
  const { share } = filledShare(before.read, path) ?? { share: 0 };
  if (share >= always && !isOnSome(path, before.read)) return true;
  return (share >= mostly && isStillSaid(path, before, now)) || isNotUnderstood(path, before, now);
}

/** A field that every product had is gone, or a field has moved, or is of another type. */
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

/**
 * All fields of the payload that were there as often as it was read, the one it is read from among them, are there as
 * before.
 */
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

/** None of tonight's offers is of a kind that was there before: what they say need not be what those said. */
function areOtherKinds(path: string, before: Night, now: Night): boolean {
  const kind = `${parentOf(path)}.kind`;
  const kinds = now.read[kind]?.texts;
  return path !== kind && kinds != null && !kinds.some((each) => before.read[kind]?.texts?.includes(each));
}

/** What is not understood has become more, by at least half of what is read no more. */
function isNotUnderstood(path: string, before: Night, now: Night): boolean {
  const kind = `${parentOf(path)}.kind`;
  const [was, is] = [filledShare(before.read, kind), filledShare(now.read, kind)];
  const lost = filledShare(before.read, path)?.share ?? 0;
  return was !== null && is !== null && is.holders >= enough && was.share - is.share >= lost / 2;
}

/** In a list that many products have empty, as promotions are: what one element of it says, others say with it. */
function isOnSome(path: string, profile: Profile): boolean {
  for (let list: string | null = path; list !== null; list = parentOf(list))
    if (list.endsWith('[]') && (filledShare(profile, list)?.share ?? always) < always) return true;
  return false;
}

/** Of the same list, the outermost. */
function isInSameElement(one: string, other: string): boolean {
  const list = one.indexOf('[]');
  return list >= 0 && other.startsWith(`${one.slice(0, list)}[]`);
}
