import type { CertificateVerdict } from '../../base/model/index.ts';
import { isRepeatedElsewhere } from '../../crawl/plan/repeating.ts';
import { toleratedDrop } from '../../crawl/plan/tolerated-drop.ts';
import type { CategoryEvidence } from './evidence/category-evidence.ts';
import type { RepeatingEvidence } from './evidence/repeating.ts';
import type { LostMembersEvidence, RunEvidence } from './evidence/run-evidence.ts';
import { type FallOutcome, judgeFall, unremarkableDrop } from './fall.ts';

/** Tolerances of a certified run, as shares of 1. */
interface Bounds {
  /** Products that may be missing from the declared totals. */
  readonly tolerance: number;
  /** Listed products that may be missing from one night; over several nights, more (tolerated-drop.ts). */
  readonly maxDrop: number;
}

interface Judgement {
  readonly verdict: CertificateVerdict;
  readonly reasons: readonly string[];
  /**
   * Categories that fell short of their declared total: whatever the verdict, none of their products is reported as
   * gone.
   */
  readonly uncertain: readonly CategoryEvidence[];
  /** Assessment of an unusual number of unseen products; null if there is none. */
  readonly fall: JudgedFall | null;
}

interface JudgedFall {
  readonly outcome: FallOutcome;
  /** Whether nothing else makes the run partial. */
  readonly isAlone: boolean;
}

/**
 * Share of rejected elements above which a run is partial (test/house/faults-index.md, 50). Quarantined fields do not
 * count.
 */
const maxQuarantined = 0.01;
/** Share of a category's products seen only in other categories above which its listing is not believed. */
const maxMisplaced = 0.01;

/**
 * Judges a run. `complete`: the taxonomy and all planned pages were read, every walked category reaches its declared
 * total, and no other evidence contradicts it. `complete_within_tolerance`: the shortfall is within the bounds; the
 * reasons list it. Otherwise, and on nights with deferred categories, `partial`.
 */
export function judge(evidence: RunEvidence, bounds: Bounds): Judgement {
  const partial: string[] = [];
  const tolerated: string[] = [];
  const uncertain = new Set<string>();
  if (evidence.categoriesInTaxonomy === 0) partial.push('the taxonomy is empty');
  else if (evidence.distinctProducts === 0) partial.push('no category lists any product');
  if (evidence.unreadCategories) {
    const sentence =
      `${evidence.unreadCategories} top-level categories of the taxonomy could not be read, ` +
      'so their products are unknown';
    // Later nights can detect what is missing.
    (evidence.usualProducts === null ? partial : tolerated).push(sentence);
  }
  if (evidence.longPause) {
    const { hours, until } = evidence.longPause;
    partial.push(`nothing was read for ${hours} hours, until ${until}; pages read later belong to another night`);
  }
  partial.push(...saidOfDeferred(evidence));
  for (const leaf of evidence.uncoveredLeaves) partial.push(`${leaf}: its id is too long to be requested`);
  // The run was cut short or hit a limit; a first night has no other evidence for its listing.
  const { chosen, unread } = evidence.children;
  if (2 * unread > chosen)
    partial.push(`${unread} of ${chosen} sampled children could not be compared with their parents`);
  for (const path of evidence.cappedCategories) partial.push(`${path}: its total looks like a limit of the listing`);
  for (const { path, isSample, distinctSeen } of evidence.categoriesNotInTaxonomy) {
    const sentence = `${path}: not in the taxonomy, yet it lists ${distinctSeen} products`;
    (isSample ? partial : tolerated).push(isSample ? `${sentence}, too many to read` : sentence);
  }

  if (evidence.inUnlistedCategories > 0) {
    const sentence =
      `${evidence.inUnlistedCategories} products belong to categories that the taxonomy does not name and that ` +
      'list nothing';
    // Later nights can detect what is missing; a first night has only indications.
    (evidence.usualProducts === null ? partial : tolerated).push(sentence);
  }

  for (const category of evidence.repeating) {
    const verdict = judgeRepeating(category, evidence.isTroubled);
    if (verdict) (verdict.isBelieved ? tolerated : partial).push(verdict.sentence);
  }

  let shortfall = 0;
  const short: string[] = [];
  for (const category of evidence.categories) {
    const verdict = judgeCategory(category);
    partial.push(...verdict.partial);
    tolerated.push(...verdict.tolerated);
    shortfall += verdict.missing;
    if (verdict.missing > 0) short.push(...verdict.short);
    if (verdict.isUncertain) uncertain.add(category.path);
  }
  for (const { path, products, asked, forSale, unclear } of evidence.unseenBelow) {
    if (forSale + unclear === 0) continue;
    if (path !== null && forSale > 0) uncertain.add(path);
    shortfall += Math.ceil((products * (forSale + unclear)) / Math.max(1, asked));
    const checked = `${path ?? 'outside all categories'}: of ${products} products not seen, ${asked} were checked`;
    if (forSale > 0) short.push(`${checked}, and ${forSale} of these are still for sale`);
    if (unclear > 0)
      short.push(
        `${checked}, and ${unclear} of these are neither for sale nor gone by their own pages; ` +
          'they stay as they were until another night agrees',
      );
  }
  if (shortfall > bounds.tolerance * evidence.distinctProducts) partial.push(...short);
  else tolerated.push(...short);

  for (const { path, products } of evidence.misplaced) {
    uncertain.add(path);
    const sentence = `${path}: ${products} of its products were seen in other categories only`;
    const size = evidence.categories.find((category) => category.path === path)?.distinctSeen ?? 0;
    (products > maxMisplaced * size ? partial : tolerated).push(sentence);
  }
  for (const category of evidence.lostMembers) {
    if (!isDoubtfulLoss(category, evidence.nightsSinceCertified, bounds)) continue;
    uncertain.add(category.path);
    tolerated.push(
      `${category.path}: ${category.lost} of its products are now listed by other categories only; ` +
        'they stay in it until another night agrees',
    );
  }
  if (evidence.rejected > maxQuarantined * evidence.itemsReceived) {
    partial.push(`${evidence.rejected} of ${evidence.itemsReceived} elements could not be parsed`);
  }

  const isAlone = partial.length === 0;
  // Deferred products are not gone, and cannot be told apart from products that are.
  const isRotated = evidence.deferred.length > 0;
  const believed = isRotated ? null : judgeFall(evidence, bounds.maxDrop);
  if (believed) (believed.isBelieved ? tolerated : partial).unshift(believed.sentence);
  const fall = believed && { outcome: believed.outcome, isAlone };
  // A fall that was investigated explains why fewer products than usual were seen.
  if (!isRotated && (!fall || fall.outcome === 'tolerated')) partial.push(...judgeUsual(evidence, bounds));

  const doubted = evidence.categories.filter(({ path }) => uncertain.has(path));
  if (partial.length > 0) return { verdict: 'partial', reasons: [...partial, ...tolerated], uncertain: doubted, fall };
  if (tolerated.length > 0)
    return { verdict: 'complete_within_tolerance', reasons: tolerated, uncertain: doubted, fall };
  return { verdict: 'complete', reasons: [], uncertain: [], fall };
}

/**
 * Whether a category lost more products than one night may, or any on a night that cut the category off, beyond the
 * loss that the previous night doubted: two nights that agree are believed.
 */
function isDoubtfulLoss(
  { lost, joined, seen, fallBefore, isCutOff }: LostMembersEvidence,
  nights: number,
  { maxDrop }: Bounds,
): boolean {
  if (isCutOff) return lost > fallBefore;
  return lost - joined - fallBefore > Math.max(unremarkableDrop, toleratedDrop(maxDrop, nights) * (seen + lost));
}

/** Null if other categories show exactly the declared number of products. */
function judgeRepeating(
  category: RepeatingEvidence,
  isTroubled: boolean,
): { isBelieved: boolean; sentence: string } | null {
  const { path, declared, known, unseen } = category;
  const isBelieved = !isTroubled && isRepeatedElsewhere(category) && unseen.toAsk.length === 0;
  if (!isBelieved)
    return { isBelieved, sentence: `${path}: not read tonight, and other categories do not show all its products` };
  if (declared === known) return null;
  return {
    isBelieved,
    sentence: `${path}: not read tonight; other categories show ${known} of its ${declared} declared products`,
  };
}

function saidOfDeferred({ deferred, categories }: RunEvidence): string[] {
  if (deferred.length === 0) return [];
  const all = deferred.length + categories.filter(({ rootNo, categoryNo }) => rootNo === categoryNo).length;
  return [
    `the limits did not suffice for all pages: ${deferred.length} of ${all} categories wait for another night, ` +
      'and none of their products is reported as gone',
    ...deferred.map(
      ({ path, lastReadOn, isLookedAt }) =>
        `${path}: ${isLookedAt ? 'only its first page was requested tonight' : 'not requested tonight'}, ` +
        `${lastReadOn === null ? 'never read' : `last read on ${lastReadOn}`}`,
    ),
  ];
}

interface CategoryJudgement {
  readonly partial: readonly string[];
  readonly tolerated: readonly string[];
  /** Reasons for missing products, and their number. */
  readonly short: readonly string[];
  readonly missing: number;
  readonly isUncertain: boolean;
}

function judgeCategory(category: CategoryEvidence): CategoryJudgement {
  const { path, declaredLast, pagesPlanned, pagesDone, pagesFailed, pagesEmpty, distinctSeen, sponsored } = category;
  const partial: string[] = [];
  const tolerated: string[] = [];
  const short: string[] = [];
  const outstanding = pagesPlanned - pagesDone - pagesFailed;
  if (outstanding > 0) partial.push(`${path}: ${outstanding} of ${pagesPlanned} pages were not asked for`);
  if (pagesFailed > 0) partial.push(`${path}: ${pagesFailed} of ${pagesPlanned} pages could not be read`);

  let missing = 0;
  const isUncertain = declaredLast !== null && distinctSeen < declaredLast;
  if (declaredLast !== null && distinctSeen < declaredLast) {
    const seen = `${path}: ${distinctSeen} of ${declaredLast} declared products seen`;
    const explained = Math.min(category.rejected, declaredLast - distinctSeen);
    missing = declaredLast - distinctSeen - explained;
    if (missing > 0 && missing <= sponsored) {
      tolerated.push(`${seen}, and ${sponsored} among advertisements`);
      missing = 0;
    } else if (missing > 0) short.push(seen);
    else tolerated.push(`${seen}, ${explained} in quarantine`);
  }
  if (declaredLast === null && pagesFailed + outstanding === 0) {
    if (pagesEmpty > 0) tolerated.push(`${path}: declares no total; ${distinctSeen} products read to an empty page`);
    else partial.push(`${path}: declares no total and no page came back empty`);
  }
  return { partial, tolerated, short, missing, isUncertain };
}

/** Reports a total below the usual one, in case several nights each lose a little. */
function judgeUsual(
  { distinctProducts, usualProducts, nightsSinceCertified }: RunEvidence,
  { maxDrop }: Bounds,
): string[] {
  if (usualProducts === null) return [];
  const tolerated = Math.max(unremarkableDrop, toleratedDrop(maxDrop, nightsSinceCertified) * usualProducts);
  return usualProducts - distinctProducts > tolerated
    ? [`${distinctProducts} products seen, ${usualProducts} are usual`]
    : [];
}
