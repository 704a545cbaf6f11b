import type { CertificateVerdict } from '../base/model/index.ts';
import type { categoryEvidence, Reason, runEvidence } from '../db/tables/index.ts';

export type CategoryEvidence = typeof categoryEvidence.$inferSelect;
export type RunEvidence = typeof runEvidence.$inferSelect;

/** Tolerances of a certified run, as shares of 1. */
export interface Bounds {
  /** Products that may be missing from the declared totals. */
  readonly tolerance: number;
  /** Listed products that may be missing from one night; over several nights, more. */
  readonly maxDrop: number;
}

export interface Judgement {
  readonly verdict: CertificateVerdict;
  /** In words: ops.reason_in_words. */
  readonly reasons: readonly Reason[];
  /** Numbers of categories in whose products the run proves nothing. */
  readonly uncertain: readonly number[];
  /** Losses of products that are not proven are all that makes the run partial. */
  readonly isOnlyFallen: boolean;
}

/** Share of elements that could not be parsed, and of a category's products that only others show. */
const [maxRejected, maxMisplaced] = [0.01, 0.01];
/** A loss that is normal for any catalogue, and the least share of the usual products of a category. */
const [unremarkable, leastOfUsual] = [10, 2 / 3];
/** Upper bound on the tolerated loss, however old the last certified night is. */
const maxTolerated = 0.3;
/** Hours after which pages belong to another night. */
const longestPause = 12;

/** Judges a run by its evidence, without clock or database. */
export function judge(run: RunEvidence, categories: readonly CategoryEvidence[], bounds: Bounds): Judgement {
  const tolerated: Reason[] = [];
  const partial: Reason[] = [];
  const uncertain = new Set<number>();
  const add = (isPartial: boolean, code: string, figures: readonly number[] = [], path?: string) => {
    (isPartial ? partial : tolerated).push(reasonOf(code, figures, path));
  };
  const doubt = (of: CategoryEvidence, isPartial: boolean, code: string, ...figures: readonly number[]) => {
    uncertain.add(of.rootNo);
    add(isPartial, code, figures, of.path);
  };

  if (run.categories === 0) add(true, 'taxonomy_empty');
  else if (run.products === 0) add(true, 'nothing_listed');
  // Later nights can detect what a first one cannot know.
  if (run.unreadTops > 0) add(run.isFirst, 'taxonomy_unread', [run.unreadTops]);
  if (run.homeless > 0) add(run.isFirst, 'taxonomy_lacks', [run.homeless]);
  if (run.uncovered > 0) add(true, 'category_unaskable', [run.uncovered]);
  if (run.pausedHours >= longestPause) add(true, 'paused', [run.pausedHours]);

  const tops = categories.filter(({ categoryNo, rootNo }) => categoryNo === rootNo);
  for (const c of tops.filter(({ pagesPlanned }) => pagesPlanned === 0)) doubt(c, false, 'category_not_read');
  for (const c of tops.filter(({ isSample, seen }) => isSample && seen > 0)) doubt(c, true, 'category_unknown', c.seen);

  const children = categories.filter(({ isSample, categoryNo, rootNo }) => isSample && categoryNo !== rootNo);
  const unreadChildren = children.filter(({ pagesFailed, pagesPlanned }) => pagesFailed === pagesPlanned).length;
  if (2 * unreadChildren > children.length) add(true, 'children_unread', [unreadChildren, children.length]);

  const walked = categories.filter(({ isSample, pagesPlanned }) => !isSample && pagesPlanned > 0);
  const empty = walked.filter((c) => endOf(c) === 'category_empty').length;
  const listing = walked.filter(({ seen }) => seen > 0).length;
  // Then the gateway is likelier to be wrong than the listing to be empty.
  if (empty > listing) add(true, 'categories_empty', [empty, listing]);
  const caps = suspectedCaps(walked.map(({ declared }) => declared));
  /** Products that are missing from the declared totals, and the reasons to think so. */
  let missing = 0;
  const shortfall: Reason[] = [];
  for (const c of walked) {
    if (!c.isInTaxonomy && c.seen > 0) add(false, 'category_unknown', [c.seen], c.path);
    if (isCapped(c, caps)) doubt(c, true, 'category_capped', c.declared!);
    if (c.hidden > 0 && !c.isDescended) doubt(c, true, 'category_hides', c.hidden);
    if (c.pagesUnrequested > 0) doubt(c, true, 'pages_unrequested', c.pagesUnrequested, c.pagesPlanned);
    const unread = c.pagesFailed - c.pagesUnrequested;
    if (unread > 0) doubt(c, true, 'pages_failed', unread, c.pagesPlanned);
    const end = endOf(c);
    if (end !== null) add(end === 'category_endless', end, [c.seen], c.path);
    if (c.declared !== null && c.seen < c.declared) {
      const figures = [c.seen, c.declared, c.rejected];
      const lacking = c.declared - c.seen - c.rejected;
      if (lacking > 0 && lacking > c.sponsored) {
        uncertain.add(c.rootNo);
        missing += lacking;
        shortfall.push(reasonOf('category_short', figures, c.path));
      } else doubt(c, false, 'category_short', ...figures);
    }
    const hasFallen = c.usual !== null && c.unseen > unremarkable && c.seen < leastOfUsual * c.usual;
    if (hasFallen && (c.gone === 0 || c.forSale > 0))
      doubt(c, true, 'category_fell', c.seen, c.usual!, c.unseen, c.gone);
  }

  const isLasting = isKnown(run, run.lasting, bounds.maxDrop) || isReleased(run, bounds.maxDrop);
  /** An own page that is not gone means that the listing lacks the product; after a known loss, one that sells it. */
  const addUnseen = ({ unseen, asked, forSale, gone, path }: UnseenProducts) => {
    const stillThere = isLasting ? forSale : asked - gone;
    if (stillThere === 0) return;
    missing += Math.ceil((unseen * stillThere) / asked);
    shortfall.push(reasonOf('unseen_not_gone', [unseen, asked, forSale, gone], path));
  };
  // Also of categories of which only the first page was requested.
  for (const c of tops) {
    addUnseen(c);
    if (c.forSale > 0 || c.misplaced > 0) uncertain.add(c.categoryNo);
    if (c.misplaced > 0) add(c.misplaced > maxMisplaced * c.seen, 'misplaced', [c.misplaced, c.seen], c.path);
  }
  const { unseenElsewhere: unseen, askedElsewhere: asked, forSaleElsewhere: forSale, goneElsewhere: gone } = run;
  addUnseen({ unseen, asked, forSale, gone });
  (missing > bounds.tolerance * run.products ? partial : tolerated).push(...shortfall);

  const sumOf = (field: 'received' | 'rejected') => categories.reduce((sum, row) => sum + row[field], 0);
  const [received, rejected] = [sumOf('received'), sumOf('rejected')];
  if (rejected > maxRejected * received) add(true, 'unreadable', [rejected, received]);
  // What was not requested is not gone, and cannot be told apart from what is.
  const fall = isCutShort(categories) ? null : judgeFall(run, bounds.maxDrop);
  if (fall) (fall.code === 'fell' ? partial : tolerated).unshift(fall);

  const reasons = [...partial, ...tolerated];
  const isPartial = partial.length > 0;
  return {
    verdict: isPartial ? 'partial' : reasons.length > 0 ? 'complete_within_tolerance' : 'complete',
    reasons,
    uncertain: [...uncertain],
    isOnlyFallen: isPartial && partial.every(({ code }) => code === 'fell' || code === 'category_fell'),
  };
}

/** How a category without a total ended; null: it has one, or was not read whole. */
function endOf({ declared, pagesFailed, pagesEnding, seen }: CategoryEvidence): string | null {
  if (declared !== null || pagesFailed > 0) return null;
  if (pagesEnding === 0) return 'category_endless';
  return seen === 0 ? 'category_empty' : 'category_without_total';
}

/** The run had used up its requests before all pages were read. */
export function isCutShort(categories: readonly CategoryEvidence[]): boolean {
  return categories.some(({ pagesUnrequested }) => pagesUnrequested > 0);
}

/** Some listings show at most ten thousand products, so a round count suggests truncation. */
const roundTo = 1_000;
/** If at least two categories share the greatest total and it is at least this, it is no coincidence. */
const fewestShared = 240;

/** Totals that look like a limit of the listing instead of a true count: round ones, and the greatest one if shared. */
export function suspectedCaps(totals: readonly (number | null)[]): ReadonlySet<number> {
  const declared = totals.filter((total) => total !== null && total > 0) as number[];
  const greatest = Math.max(0, ...declared);
  const isShared = greatest >= fewestShared && declared.filter((total) => total === greatest).length > 1;
  return new Set([...declared.filter((total) => total % roundTo === 0), ...(isShared ? [greatest] : [])]);
}

/** Its total looks like a limit of the listing, and it was not replaced by its children. */
export function isCapped({ declared, isDescended }: CategoryEvidence, caps: ReadonlySet<number>): boolean {
  return declared !== null && caps.has(declared) && !isDescended;
}

const reasonOf = (code: string, figures: readonly number[], path?: string): Reason =>
  path === undefined ? { code, figures } : { code, figures, path };

type UnseenProducts = Pick<CategoryEvidence, 'unseen' | 'asked' | 'forSale' | 'gone'> & { readonly path?: string };

const mayVanish = (of: number, share: number): number => Math.max(unremarkable, Math.floor(share * of));

/** More products are missing than one night may lose, since the last certified night or against the usual number. */
function judgeFall(run: RunEvidence, maxDrop: number): Reason | null {
  const { unseen, listedBefore, answered, forSale } = run;
  const lost = lostProducts(run, unseen);
  const bound = lossBound(run, maxDrop);
  if (lost <= bound) {
    const isUnusual = unseen > mayVanish(listedBefore, maxDrop);
    return isUnusual ? { code: 'fell_tolerably', figures: [lost, bound] } : null;
  }
  const needed = sampleSize(unseen);
  const figures = [lost, bound, needed, answered, forSale];
  if (unseen > bound && forSale === 0 && answered >= needed) return { code: 'fell_proven', figures };
  if (isReleased(run, maxDrop)) return { code: 'fell_released', figures };
  return { code: isKnown(run, run.lasting, maxDrop) ? 'fell_lasted' : 'fell', figures };
}

/** Share of unseen products that the sample must detect, and the confidence of detection. */
const [overlookedShare, confidence] = [0.05, 0.95];

/**
 * Size of a random sample that proves, with `confidence`, that fewer than `share` of the population are of some kind if
 * none in the sample is. Drawn without replacement (hypergeometric): for 5%, 59 of a large population, most of a small
 * one.
 */
export function sampleSize(population: number, share = overlookedShare): number {
  const overlooked = Math.ceil(population * share);
  let missedAll = 1;
  let asked = 0;
  while (asked < population && missedAll > 1 - confidence) {
    missedAll *= (population - overlooked - asked) / (population - asked);
    asked += 1;
  }
  return asked;
}

/** The same loss as on a night that a user released. */
export function isReleased(run: RunEvidence, maxDrop: number): boolean {
  return isKnown(run, run.accepted, maxDrop);
}

/** As few products are there as with a known loss, and as many are missing: what is new is within the bound. */
function isKnown(run: RunEvidence, loss: number, maxDrop: number): boolean {
  return loss > 0 && lostProducts(run, run.unseen - loss) <= lossBound(run, maxDrop);
}

const lostProducts = ({ usual, products }: RunEvidence, unseen: number): number =>
  Math.max(unseen, (usual ?? products) - products);

/**
 * The tolerated share grows with the square root of the nights since the last certified one, because losses come in
 * independent bursts: 5% per night gives 13% after a week and 30%, the maximum, after five weeks, in which a real
 * supermarket lost 22% and 27%.
 */
function lossBound({ listedBefore, usual, nights }: RunEvidence, perNight: number): number {
  const grown = Math.min(perNight * Math.sqrt(Math.max(1, nights)), maxTolerated);
  return mayVanish(Math.max(listedBefore, usual ?? 0), Math.max(perNight, grown));
}
