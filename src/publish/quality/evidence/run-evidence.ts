import type { StagedNode } from '../../../crawl/stage/taxonomy.ts';
import type { CategoryOutsideTaxonomy } from '../../../source/normalise/category-outside-taxonomy.ts';
import type { CategoryEvidence } from './category-evidence.ts';
import type { SampledChild } from './children.ts';
import type { DeferredEvidence } from './deferred.ts';
import type { FallEvidence } from './fall-evidence.ts';
import type { LongPause } from './long-pause.ts';
import type { LostMembers } from './lost-members.ts';
import type { FallTrace } from './night-before.ts';
import type { RepeatingEvidence } from './repeating.ts';
import type { UnseenBelow, UnseenProduct } from './unseen.ts';

/** What a run is judged by; stored with its certificate. */
export interface RunEvidence extends FallEvidence {
  /** 0: the taxonomy came back empty, or was never read. */
  readonly categoriesInTaxonomy: number;
  /**
   * Of its top level, nodes that could not be read: what lies below them is not known of. Certificates of earlier
   * versions do not say.
   */
  readonly unreadCategories?: number;
  /** Leaves that could not be asked for and that no walked category covers. */
  readonly uncoveredLeaves: readonly string[];
  /**
   * Categories that the limits did not reach for: another night's turn, and of what they list nothing is known tonight.
   */
  readonly deferred: readonly DeferredEvidence[];
  /** Categories whose total looks like a limit of the listing, and that were not walked by their children. */
  readonly cappedCategories: readonly string[];
  /** Top-level categories that the taxonomy does not name although they list products. */
  readonly categoriesNotInTaxonomy: readonly CategoryEvidence[];
  /** Products whose breadcrumb leads to a top-level category that neither is in the taxonomy nor lists anything. */
  readonly inUnlistedCategories: number;
  readonly distinctProducts: number;
  /** Median of the last certified runs; null before the first. */
  readonly usualProducts: number | null;
  readonly unseenBelow: readonly UnseenGroup[];
  /**
   * Products seen only in other categories than their breadcrumb's, by the walked category that should have listed
   * them.
   */
  readonly misplaced: readonly { readonly path: string; readonly products: number }[];
  /** Categories that lost products which others show. */
  readonly lostMembers: readonly LostMembersEvidence[];
  readonly itemsReceived: number;
  /** In quarantine. */
  readonly rejected: number;
  readonly longPause: LongPause | null;
  /** Of a first night: children to be held against what their parents list, and those of which nothing was read. */
  readonly children: { readonly chosen: number; readonly unread: number };
  /** Categories that only repeat others and were not walked tonight. */
  readonly repeating: readonly RepeatingEvidence[];
  /** Something was out of order with a walked category, or the taxonomy: then no category is left out. */
  readonly isTroubled: boolean;
  readonly requests: Requests;
  readonly categories: readonly CategoryEvidence[];
}

interface UnseenGroup extends Pick<UnseenBelow, 'products' | 'asked' | 'forSale' | 'unclear'> {
  /** The category they belong to; null: none that is known. */
  readonly path: string | null;
}

export interface LostMembersEvidence extends Omit<LostMembers, 'rootNo'> {
  readonly categoryId: string;
  readonly path: string;
}

/** Pages planned, and what was asked on top of them to be sure. */
export interface Requests {
  readonly pages: number;
  readonly rereads: number;
  /** First pages of children, held against what their parents list, and pages of categories that were not walked. */
  readonly samples: number;
  /** Unseen products asked after by their own page. */
  readonly asks: number;
  /** What rereads, samples and asks may come to. */
  readonly allowance: number;
}

/** The evidence, and what repairing a run needs to know beside it. */
export interface Coverage {
  readonly evidence: RunEvidence;
  readonly samples: readonly CategoryEvidence[];
  /** Children to be held against what their parents list, not asked for so far. */
  readonly childrenToAsk: readonly SampledChild[];
  readonly taxonomy: readonly StagedNode[];
  /** Pages that may have let something slip, and those that could not be read, by category. */
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  readonly shortByBreadcrumb: ReadonlySet<number>;
  readonly forSaleIn: readonly string[];
  /** Unseen products of which nothing proves that they are gone. */
  readonly unconfirmed: readonly string[];
  readonly worthAsking: readonly UnseenProduct[];
  /** Unseen products to ask after next, chosen at random, should too many be unseen. */
  readonly sampleToAsk: readonly string[];
  /** Stored with the certificate of a run that lost more than one night may. */
  readonly fallTrace: FallTrace;
  /** Categories that breadcrumbs name beside the taxonomy, parents first. */
  readonly outsideTaxonomy: readonly CategoryOutsideTaxonomy[];
  /** Top-level categories that were not walked, though products seen tonight or listed last night belong to them. */
  readonly idsNotInTaxonomy: readonly string[];
}
