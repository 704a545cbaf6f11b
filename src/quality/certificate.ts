import type { CategoryEvidence } from './evidence.ts';

export interface RunEvidence {
  /** Null: the taxonomy was never read. */
  readonly categoriesInTaxonomy: number | null;
  /** Leaves that could not be asked for and that no walked category covers. */
  readonly uncoveredLeaves: readonly string[];
  /** Categories whose total looks like a limit of the listing, with no children to walk instead. */
  readonly cappedCategories: readonly string[];
  readonly categories: readonly CategoryEvidence[];
}

export interface Judgement {
  readonly verdict: 'complete' | 'complete_within_tolerance' | 'partial';
  readonly reasons: readonly string[];
}

/**
 * The verdict: `complete` only when the taxonomy was read, every planned page was read, and every walked category's
 * distinct products reach the total it declares. A category that declares none is complete within tolerance when
 * its pages were read to an empty one.
 */
export function judge(evidence: RunEvidence): Judgement {
  const partial: string[] = [];
  const tolerated: string[] = [];
  if (evidence.categoriesInTaxonomy === null) partial.push('the taxonomy was not read');
  else if (evidence.categoriesInTaxonomy === 0) partial.push('the taxonomy came back empty');
  for (const leaf of evidence.uncoveredLeaves) partial.push(`${leaf}: cannot be asked for, its id is too long`);
  for (const path of evidence.cappedCategories) partial.push(`${path}: its total looks like a limit of the listing`);

  for (const category of evidence.categories) {
    const { path, declaredLast, pagesPlanned, pagesDone, pagesFailed, pagesEmpty, distinctSeen } = category;
    const outstanding = pagesPlanned - pagesDone - pagesFailed;
    if (pagesFailed > 0) partial.push(`${path}: ${pagesFailed} of ${pagesPlanned} pages could not be read`);
    if (outstanding > 0) partial.push(`${path}: ${outstanding} of ${pagesPlanned} pages were not asked for`);
    if (declaredLast !== null && distinctSeen < declaredLast) {
      partial.push(`${path}: ${distinctSeen} of ${declaredLast} declared products seen`);
    }
    if (declaredLast === null && pagesFailed + outstanding === 0) {
      if (pagesEmpty > 0) tolerated.push(`${path}: declares no total; ${distinctSeen} products read to an empty page`);
      else partial.push(`${path}: declares no total and no page came back empty`);
    }
  }
  if (partial.length > 0) return { verdict: 'partial', reasons: [...partial, ...tolerated] };
  if (tolerated.length > 0) return { verdict: 'complete_within_tolerance', reasons: tolerated };
  return { verdict: 'complete', reasons: [] };
}
