import type { Endpoint } from '../endpoints/index.ts';
import { type MovedField, moveFields } from '../endpoints/move-fields.ts';
import { type Census, parentOf, presence, takeCensus, usualType } from './census.ts';
import { lostPaths, newPaths } from './compare.ts';
import { readingOf, type Sampled } from './night-census.ts';

/** A field that seems to have moved. */
export interface Proposal extends MovedField {
  /** With it the contract reads more of the night's payloads than without. False: nothing is lost as it is. */
  readonly isNeeded: boolean;
}

/** A chain of renamed holders is found one after the other. */
const mostProposals = 6;
const payloadsTried = 8;

/**
 * Where lost fields seem to have gone, each held against the night's own payloads: proposed is what lets the contract read most of
 * them. A field that has moved without a loss is named too, as not needed.
 */
export function proposeMoves(
  endpoint: Endpoint<never, unknown>,
  before: Census,
  payloads: readonly Sampled[],
): readonly Proposal[] {
  const proposals: Proposal[] = [];
  let sample: readonly Sampled[] = payloads.slice(0, payloadsTried);
  let readNow = readOf(endpoint, sample);
  const settled = new Set<string>();
  while (proposals.length < mostProposals) {
    const now = takeCensus(sample.map(({ body }) => body));
    const next = bestMove(endpoint, { before, now, sample, readNow, settled });
    if (next === null) break;
    settled.add(next.to);
    proposals.push(next);
    if (!next.isNeeded) continue;
    sample = withMove(sample, next);
    readNow = readOf(endpoint, sample);
  }
  return proposals;
}

interface Trial {
  readonly before: Census;
  readonly now: Census;
  readonly sample: readonly Sampled[];
  readonly readNow: number;
  readonly settled: ReadonlySet<string>;
}

function bestMove(
  endpoint: Endpoint<never, unknown>,
  { before, now, sample, readNow, settled }: Trial,
): Proposal | null {
  const candidates = lost(before, now)
    .filter((path) => !settled.has(path))
    .flatMap((to) => likelyPlaces(to, before, now).map((from) => ({ endpoint: endpoint.name, from, to })));
  let best: { readonly move: MovedField; readonly read: number } | null = null;
  for (const move of candidates) {
    const read = readOf(endpoint, withMove(sample, move));
    if (read > (best?.read ?? readNow)) best = { move, read };
  }
  if (best) return { ...best.move, isNeeded: true };
  const alike = candidates.find(({ from, to }) => likeness(to, before, from, now) >= sure);
  return alike ? { ...alike, isNeeded: false } : null;
}

/** Also lists and objects that became something else: what was in them may be one level further down. */
function lost(before: Census, now: Census): readonly string[] {
  const turned = Object.keys(before).filter((path) => {
    const [was, is] = [before[path], now[path]];
    return was && is && presence(was) > 0 && usualType(was) !== usualType(is) && usualType(is) === 'object';
  });
  return [...new Set([...turned, ...lostPaths(before, now)])].filter((path) => isPlain(path) && !path.endsWith('[]'));
}

/** New paths that could hold what was at `to`, the likeliest first. */
function likelyPlaces(to: string, before: Census, now: Census): readonly string[] {
  return newPaths(before, now)
    .filter((from) => isPlain(from) && !from.endsWith('[]') && sharesHolder(from, to))
    .map((from) => ({ from, like: likeness(to, before, from, now) }))
    .filter(({ like }) => like > 0)
    .sort((one, other) => other.like - one.like || (one.from < other.from ? -1 : 1))
    .slice(0, 8)
    .map(({ from }) => from);
}

/** So alike that it is the same field. */
const sure = 2;

/** 0: it cannot be the same; higher: more alike. */
function likeness(to: string, before: Census, from: string, now: Census): number {
  const [was, is] = [before[to], now[from]];
  if (!was || !is) return 0;
  const type = usualType(was);
  // An empty list everywhere, or nothing but null, may have been anything.
  if (type !== null && usualType(is) !== null && type !== usualType(is)) return 0;
  let like = 1;
  if (nameOf(to) === nameOf(from)) like += 1;
  if (type === 'array' || type === 'object') {
    const [one, other] = [childrenOf(before, to), childrenOf(now, from)];
    const common = [...one].filter((name) => other.has(name)).length;
    const all = new Set([...one, ...other]).size;
    if (all > 0) like += common / all >= 0.5 ? 1.5 : -0.9;
  }
  if (was.numbers && is.numbers && was.numbers.nonZero > 0 && is.numbers.nonZero > 0) {
    const apart = Math.abs(was.numbers.logs / was.numbers.nonZero - is.numbers.logs / is.numbers.nonZero);
    like += apart < Math.log(2) ? 0.9 : -0.9;
  }
  return like;
}

/** Names of what is in it, in lists of it too. */
function childrenOf(census: Census, path: string): ReadonlySet<string> {
  const within = Object.keys(census).filter((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[]`));
  return new Set(within.map((other) => other.slice(path.length)).filter((rest) => rest !== '[]'));
}

/** In the same element of the same list, or both outside of any: a field does not leave its product. */
function sharesHolder(from: string, to: string): boolean {
  const list = to.lastIndexOf('[]');
  return list < 0 ? !from.slice(0, from.lastIndexOf('.')).includes('[]') : from.startsWith(to.slice(0, list + 2));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Whose names can be written into a mapping: they are the upstream's words. */
const isPlain = (path: string): boolean =>
  path !== '$' && parentOf(path) !== null && /^[\w$]+(\[\])*(\.[\w$]+(\[\])*)*$/.test(path);

function withMove(sample: readonly Sampled[], move: MovedField): readonly Sampled[] {
  return sample.map((each) => ({ ...each, body: moveFields(each.body, move.endpoint, [move]) }));
}

/** How much of the payloads is read: values that are said. */
function readOf(endpoint: Endpoint<never, unknown>, sample: readonly Sampled[]): number {
  return sample.reduce((sum, each) => {
    const reading = readingOf(endpoint, each);
    return 'issues' in reading ? sum : sum + saidIn(reading.records);
  }, 0);
}

function saidIn(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (value instanceof Date || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + saidIn(child), 0);
}
