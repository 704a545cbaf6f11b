/** A walked category whose products all belong to other categories, which list all of them as well. */
export interface RepeatingCategory {
  readonly categoryId: string;
  /** Pages it had when it was last walked. */
  readonly pages: number;
  /** Nights since then, at least 1. */
  readonly nightsAgo: number;
}

/** Interval, in nights, at which repeating categories are walked. */
export const walkedEvery = 3;
/** Categories with fewer pages are always walked. */
const fewestPages = 12;
/** Randomly chosen pages, in addition to the first and the last. */
const byChance = 2;
/**
 * Tolerated difference between declared and known products of a category that is not walked, as a share of the known
 * ones.
 */
const unknownShare = 0.005;

/**
 * Repeating categories that are not walked tonight, with the pages to read anyway: the first, the last and some random
 * ones. Categories rotate, so that no night walks all of them. `night` counts days; `rank` provides the randomness,
 * stable across restarts.
 */
export function categoriesToLookInto(
  repeating: readonly RepeatingCategory[],
  night: number,
  rank: (place: string) => string,
): { readonly categoryId: string; readonly pages: readonly number[] }[] {
  return repeating
    .filter(({ pages }) => pages >= fewestPages)
    .sort((a, b) => (a.categoryId < b.categoryId ? -1 : 1))
    .filter(({ nightsAgo }, turn) => nightsAgo < walkedEvery && (night + turn) % walkedEvery !== 0)
    .map(({ categoryId, pages }) => {
      const between = Array.from({ length: pages - 2 }, (_, i) => ({ page: i + 2, rank: rank(`${categoryId}/${i}`) }))
        .sort((a, b) => (a.rank < b.rank ? -1 : 1))
        .slice(0, byChance)
        .map(({ page }) => page);
      return { categoryId, pages: [1, ...between.sort((a, b) => a - b), pages] };
    });
}

/** Day number by which categories rotate. */
export function nightOf(snapshotDate: string): number {
  return Date.parse(snapshotDate) / millisecondsADay;
}

const millisecondsADay = 86_400_000;

/** Tonight's evidence about a category that is not walked. */
export interface RepeatingListing {
  /** Total declared identically on all pages read; null if none was declared or they differ. */
  readonly declared: number | null;
  /** Products that belong to it and that other categories listed. */
  readonly known: number;
  /** Products on the pages read that no other category listed. */
  readonly onlyThere: number;
  /** Planned pages that could not be read. */
  readonly pagesUnread: number;
  /** Products that belonged to it and that no category lists, by the evidence of their own pages. */
  readonly unseen: {
    readonly gone: number;
    readonly toAsk: readonly string[];
    /** Products for sale, without an answer, or with an answer that does not prove them gone. */
    readonly doubtful: number;
  };
}

/** Whether no evidence suggests that only this category lists some product, apart from products still to be checked. */
export function isRepeatedElsewhere({ declared, known, onlyThere, pagesUnread, unseen }: RepeatingListing): boolean {
  if (declared === null || onlyThere > 0 || pagesUnread > 0 || unseen.doubtful > 0) return false;
  return Math.abs(declared - known) <= Math.floor(unknownShare * known);
}
