import type { Paths, Profile } from './profile.ts';

/** `info`: nothing to do; `warning`: check it; `breaking`: a field is no longer read, or read wrongly. */
export type Severity = 'info' | 'warning' | 'breaking';

/** A difference between an endpoint's payloads and those of an earlier night. */
export interface Finding {
  readonly kind: 'new_field' | 'lost_field' | 'type_changed' | 'unreadable' | 'reads_less';
  readonly severity: Severity;
  /** Path in the payload; for `reads_less`, in the parsed result. */
  readonly path: string;
  /** One sentence. */
  readonly said: string;
}

/** Minimum number of holders on either side for a meaningful share. */
const fewestHolders = 5;
const severities: readonly Severity[] = ['breaking', 'warning', 'info'];

/** Differences between a night's payloads and those of an earlier night, worst first, then by path. */
export function compareProfiles(before: Profile, now: Profile): readonly Finding[] {
  const paths = new Set([...Object.keys(before.upstream), ...Object.keys(now.upstream)]);
  const changes = [...paths].flatMap((path) => changeAt(path, before.upstream, now.upstream) ?? []);
  return [...lossesOfReading(before, now), ...changes].sort(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) || (one.path < other.path ? -1 : 1),
  );
}

function changeAt(path: string, before: Paths, now: Paths): Finding | null {
  const [was, is] = [shareOf(before, path), shareOf(now, path)];
  if (!before[path]) {
    const isNew = is !== null && count(before, parentOf(path) ?? '') >= fewestHolders;
    return isNew ? { kind: 'new_field', severity: 'info', path, said: `new: in ${percent(is)} of its places` } : null;
  }
  if (isLost(path, before, now))
    return { kind: 'lost_field', severity: 'warning', path, said: `gone: it was in ${percent(was!)} of its places` };
  const types = typesAt(path, before, now);
  if (types === null) return null;
  return { kind: 'type_changed', severity: 'warning', path, said: `of type ${types[1]} instead of ${types[0]}` };
}

/** Payloads that are not read, or fields that were read from the earlier night but not from this one. */
function* lossesOfReading(before: Profile, now: Profile): Generator<Finding> {
  const unreadable = ({ unreadable, payloads }: Profile) => unreadable / Math.max(1, payloads);
  const rejected = ({ rejected, elements }: Profile) => rejected / Math.max(1, elements);
  const reason = Object.entries(now.reasons).sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'no reason given';
  for (const [shareIn, words] of [
    [unreadable, 'of the payloads break the contract'],
    [rejected, 'of the elements are rejected'],
  ] as const) {
    const share = shareIn(now);
    if (share <= 0.2 || share <= 2 * shareIn(before)) continue;
    const said = `${percent(share)} ${words} (${reason})`;
    return yield { kind: 'unreadable', severity: 'breaking', path: '$', said };
  }
  // Absence alone proves nothing, because one promotion covers many products and all of a kind may end on one day; the
  // mapping misses a field if the payloads have another shape as well.
  const isReshaped = Object.keys(before.upstream).some(
    (path) => isLost(path, before.upstream, now.upstream) || typesAt(path, before.upstream, now.upstream) !== null,
  );
  for (const path of Object.keys(before.read)) {
    const [was, is] = [filledAt(before.read, path), filledAt(now.read, path)];
    if (was === null || is === null || is.share > was.share / 10) continue;
    // The expected number is too large for chance.
    if (was.share * is.holders < 20) continue;
    const said = `read in ${percent(is.share)} of its places instead of ${percent(was.share)}`;
    yield isReshaped
      ? { kind: 'reads_less', severity: 'breaking', path, said }
      : { kind: 'reads_less', severity: 'warning', path, said: `${said}; possibly none is offered` };
  }
}

/** Whether a field of most parents is now in at most a tenth as many. */
function isLost(path: string, before: Paths, now: Paths): boolean {
  const [was, is] = [shareOf(before, path), shareOf(now, path)];
  return was !== null && is !== null && was >= 0.5 && is <= was / 10;
}

/** Usual types before and now, if they differ. */
function typesAt(path: string, before: Paths, now: Paths): readonly [string, string] | null {
  if (count(before, path) < fewestHolders || count(now, path) < fewestHolders) return null;
  const [was, is] = [usualType(before, path), usualType(now, path)];
  return was !== null && is !== null && was !== is ? [was, is] : null;
}

/** Type of nearly all non-null values; null if there is none. */
function usualType(paths: Paths, path: string): string | null {
  const types = Object.entries(paths[path]!).filter(([type]) => type !== 'null');
  const all = types.reduce((sum, [, times]) => sum + times, 0);
  return types.find(([, times]) => times > all * 0.9)?.[0] ?? null;
}

/** Share of parent objects that have the field; null if there are too few. */
function shareOf(paths: Paths, path: string): number | null {
  const holders = paths[parentOf(path) ?? '']?.object ?? 0;
  return path.endsWith('[]') || holders < fewestHolders ? null : count(paths, path) / holders;
}

/** Share of parents with a non-null field; for list elements, their average number per list. */
function filledAt(paths: Paths, path: string): { readonly share: number; readonly holders: number } | null {
  const holders = paths[parentOf(path) ?? '']?.[path.endsWith('[]') ? 'array' : 'object'] ?? 0;
  if (holders < 2 * fewestHolders) return null;
  return { share: (count(paths, path) - (paths[path]?.null ?? 0)) / holders, holders };
}

const count = (paths: Paths, path: string): number =>
  Object.values(paths[path] ?? {}).reduce((sum, times) => sum + times, 0);

/** Parent of a path: `a[]` for `a[].b`, `a` for `a[]`; null for the root. */
function parentOf(path: string): string | null {
  if (path === '$') return null;
  const at = path.endsWith('[]') ? path.length - 2 : path.lastIndexOf('.');
  return at < 0 ? '$' : path.slice(0, at);
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;
