import type { StagedNode } from '../../../crawl/stage/taxonomy.ts';
import type { CategoryOutsideTaxonomy } from '../../../source/normalise/category-outside-taxonomy.ts';
import type { FallEvidence } from '../fall.ts';
import type { CategoryEvidence } from './category-evidence.ts';
import type { SampledChild } from './children.ts';
import type { DeferredEvidence } from './deferred.ts';
import type { LongPause } from './long-pause.ts';
import type { LostMembers } from './lost-members.ts';
import type { FallTrace } from './night-before.ts';
import type { PageEvidence } from './page-evidence.ts';
import type { RepeatingEvidence } from './repeating.ts';
import type { UnseenBelow, UnseenProduct } from './unseen.ts';

/** Evidence on which a run is judged; stored with its certificate. */
export interface RunEvidence extends FallEvidence {
  /** 0: the taxonomy was empty or never read. */
  readonly categoriesInTaxonomy: number;
  /** Unreadable top-level nodes of the taxonomy; categories below them are unknown. */
  readonly unreadCategories: number;
  /** Leaves that could not be requested and that no walked category covers. */
  readonly uncoveredLeaves: readonly string[];
  /** Categories deferred because of limits; nothing is known of their listing tonight. */
  readonly deferred: readonly DeferredEvidence[];
  /** Categories whose total looks like a limit of the listing and that were not replaced by their children. */
  readonly cappedCategories: readonly string[];
  /** Top-level categories outside the taxonomy that list products. */
  readonly categoriesNotInTaxonomy: readonly CategoryEvidence[];
  /** Products whose breadcrumb leads to a top-level category that is neither in the taxonomy nor lists anything. */
  readonly inUnlistedCategories: number;
  readonly distinctProducts: number;
  /** Median of the last certified runs; null before the first. */
  readonly usualProducts: number | null;
  readonly unseenBelow: readonly UnseenGroup[];
  /** Products seen only outside their breadcrumb, by the walked category that should have listed them. */
  readonly misplaced: readonly { readonly path: string; readonly products: number }[];
  /** Categories that lost products which others show. */
  readonly lostMembers: readonly LostMembersEvidence[];
  readonly itemsReceived: number;
  /** Rejected elements; quarantined fields do not count. */
  readonly rejected: number;
  readonly longPause: LongPause | null;
  /** Children sampled on a first night, and those of which nothing was read. */
  readonly children: { readonly chosen: number; readonly unread: number };
  /** Repeating categories that were not walked tonight. */
  readonly repeating: readonly RepeatingEvidence[];
  /** Whether a walked category or the taxonomy had problems; then repeating categories are walked, too. */
  readonly isTroubled: boolean;
  readonly requests: Requests;
  readonly categories: readonly CategoryEvidence[];
}

interface UnseenGroup extends Pick<UnseenBelow, 'products' | 'asked' | 'forSale' | 'unclear'> {
  /** The category they belong to; null if unknown. */
  readonly path: string | null;
}

export interface LostMembersEvidence extends Omit<LostMembers, 'rootNo'> {
  readonly categoryId: string;
  readonly path: string;
}

/** Planned pages, and additional requests for evidence. */
export interface Requests {
  readonly pages: number;
  readonly rereads: number;
  /** First pages of children, and pages of repeating categories that were not walked. */
  readonly samples: number;
  /** Unseen products whose own pages were requested. */
  readonly asks: number;
  /** Maximum sum of rereads, samples and asks. */
  readonly allowance: number;
}

/** The evidence, plus data for repairs. */
export interface Coverage {
  readonly pageEvidence: PageEvidence;
  readonly evidence: RunEvidence;
  readonly samples: readonly CategoryEvidence[];
  /** Children to sample that were not requested yet. */
  readonly childrenToAsk: readonly SampledChild[];
  readonly taxonomy: readonly StagedNode[];
  /** Pages that may lack products and pages that could not be read, by category. */
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  readonly shortByBreadcrumb: ReadonlySet<number>;
  readonly forSaleIn: readonly string[];
  /** Unseen products that are not proven gone. */
  readonly unconfirmed: readonly string[];
  readonly worthAsking: readonly UnseenProduct[];
  /** Unseen products to request next, chosen at random, in case too many are unseen. */
  readonly sampleToAsk: readonly string[];
  /** Stored with the certificate of a run that lost more products than one night may. */
  readonly fallTrace: FallTrace;
  /** Categories that only breadcrumbs name, parents first. */
  readonly outsideTaxonomy: readonly CategoryOutsideTaxonomy[];
  /** Top-level categories that were not walked, although products seen tonight or listed last night belong to them. */
  readonly idsNotInTaxonomy: readonly string[];
}
