import { boolean, integer, jsonb, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofRun, runStatus, verdict } from './runs.ts';
import { ops } from './schemas.ts';

/** Why a run is not `complete`: a code (src/publish/certificate.ts), its category, and figures. */
export interface Reason {
  readonly code: string;
  readonly path?: string;
  readonly figures?: readonly number[];
}

/** The verdict on a run; its evidence is in `run_evidence` and `category_evidence`. */
export const certificate = ops.table('certificate', {
  runId: ofRun().primaryKey(),
  verdict: verdict().notNull(),
  /** Empty for `complete`, and for a run that only a check held. */
  reasons: jsonb().$type<readonly Reason[]>().notNull(),
  /** Certified nights in a row without a product after which it was delisted. */
  delistAfter: smallint().notNull(),
  /** Products shown differently, new or no longer shown; null until it is published. */
  changed: integer(),
  /** Sum over the products listed after the run of 60 bits of the md5 of each (`catalog.product_hash`). */
  contentHash: numeric(),
  computedAt: instant().notNull(),
  /** Reason that the user gave for the release, and the former state: `held`, or `published` as partial. */
  releasedBecause: text(),
  releasedFrom: runStatus(),
  /** Last time the night was rebuilt from history, and whether the result matched its certificate. */
  verifiedAt: instant(),
  isVerified: boolean(),
});

/** What a run asked for and what it got, as a whole; by category in `category_evidence`. */
export const runEvidence = ops.table('run_evidence', {
  runId: ofRun().primaryKey(),
  /** The region has no earlier certified night to compare with. */
  isFirst: boolean().notNull(),
  /** Categories in the taxonomy, its unreadable top-level elements, and leaves that no request can cover. */
  categories: integer().notNull(),
  unreadTops: integer().notNull(),
  uncovered: integer().notNull(),
  /** Distinct products on all pages, and those whose breadcrumb leads to no category that was read. */
  products: integer().notNull(),
  homeless: integer().notNull(),
  /** Products listed by the last certified run, and its age in nights. */
  listedBefore: integer().notNull(),
  nights: integer().notNull(),
  /** Those of them that no page showed; those whose own page proved something; of these, for sale. */
  unseen: integer().notNull(),
  answered: integer().notNull(),
  forSale: integer().notNull(),
  /** As many products have been missing for four nights; or were when a user released the last certified night. */
  lasting: integer().notNull(),
  accepted: integer().notNull(),
  /** Products that the region usually shows: the median of seven nights; null before the first. */
  usual: integer(),
  /** As in `category_evidence`, for products of no category that was read. */
  unseenElsewhere: integer().notNull(),
  askedElsewhere: integer().notNull(),
  forSaleElsewhere: integer().notNull(),
  goneElsewhere: integer().notNull(),
  /** Longest pause before a page that was read on a later date. */
  pausedHours: integer().notNull(),
  /** Pages read again, and unseen products whose own pages were requested. */
  rereads: integer().notNull(),
  asks: integer().notNull(),
});

/** What a run asked of a category and what it got: a certificate's evidence, one row per category. */
export const categoryEvidence = ops.table(
  'category_evidence',
  {
    runId: ofRun(),
    categoryNo: integer().notNull(),
    /** The walked category that it helps to cover. */
    rootNo: integer().notNull(),
    categoryId: text().notNull(),
    path: text().notNull(),
    /** Only its first page was requested. No page at all: others list all its products, so that it is read seldom. */
    isSample: boolean().notNull(),
    /** Replaced by its children. */
    isDescended: boolean().notNull(),
    /** Rounds in which its pages were read again. */
    repairs: smallint().notNull(),
    isInTaxonomy: boolean().notNull(),
    /** Total that it declared when first and last read; null: none. */
    declaredFirst: integer(),
    declared: integer(),
    /** Different totals that its pages declared. */
    totals: integer().notNull(),
    pagesPlanned: integer().notNull(),
    pagesFailed: integer().notNull(),
    /** Of these, not requested because the run had used up its requests. */
    pagesUnrequested: integer().notNull(),
    /** Empty pages within the declared total; without a total, all that brought nothing new. */
    pagesEnding: integer().notNull(),
    /** Elements on its pages, and those that could not be parsed. */
    received: integer().notNull(),
    rejected: integer().notNull(),
    /** Distinct products on its pages and on those below it, without advertisements. */
    seen: integer().notNull(),
    /** Products beyond the places of its pages. */
    sponsored: integer().notNull(),
    /** Products that categories below it showed within its breadcrumb, and it did not. */
    hidden: integer().notNull(),
    /** Products with a breadcrumb through it that only other categories showed. */
    misplaced: integer().notNull(),
    /** Listed products of it that no page showed; those whose own page answered; of these, for sale and gone. */
    unseen: integer().notNull(),
    asked: integer().notNull(),
    forSale: integer().notNull(),
    gone: integer().notNull(),
    /** Products that it usually shows: the median of seven nights, or more if it was read less often. */
    usual: integer(),
    /** The run proves nothing about products that it did not see here. */
    isUncertain: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.runId, t.categoryNo] })],
);

/** `warn`: for review; `block`: holds the run until a user decides. */
export const severity = ops.enum('severity', ['warn', 'block']);

/** A finding of a quality check in a run. */
export const finding = ops.table(
  'finding',
  {
    runId: ofRun(),
    /** Name of the check. */
    name: text().notNull(),
    severity: severity().notNull(),
    /** Number of products, elements or nights affected, and of how many. In words: ops.finding_in_words. */
    found: integer().notNull(),
    total: integer().notNull(),
    /** Some of their ids. */
    samples: text().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.name] })],
);
