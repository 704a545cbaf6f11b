/** A walked category of which every product is at home in others: reading those shows all of its products, too. */
export interface RepeatingCategory {
  readonly categoryId: string;
  /** Pages it had when it was last walked. */
  readonly pages: number;
  /** Nights since then, at least 1. */
  readonly nightsAgo: number;
}

/** A category that only repeats others is walked every so many nights. */
export const walkedEvery = 3;
/** A category of fewer pages is not worth the doubt. */
const fewestPages = 12;
/** Pages by chance, beside the first and the last. */
const byChance = 2;
/** Pages of a category that is not walked, the first and the last among them. */
export const pagesLookedAt = 2 + byChance;
/** Of the products that a category which is not walked declares, this share may be others than those that are known. */
export const unknownShare = 0.005;

/**
 * Of the categories that only repeat others, those that are not walked tonight, and the pages that are looked at all
 * the same: the first, the last and some by chance. The categories take turns, so that no night walks all of them.
 * `night` counts days; `rank` is the chance: the same for a restart.
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

/** Pages that are left out on the night of a date, `YYYY-MM-DD`. */
export function pagesLeftOut(repeating: readonly RepeatingCategory[], snapshotDate: string): number {
  const notWalked = new Set(
    categoriesToLookInto(repeating, nightOf(snapshotDate), String).map(({ categoryId }) => categoryId),
  );
  return repeating.reduce(
    (sum, { categoryId, pages }) => sum + (notWalked.has(categoryId) ? pages - pagesLookedAt : 0),
    0,
  );
}

/** The days by which categories take turns. */
export function nightOf(snapshotDate: string): number {
  return Date.parse(snapshotDate) / millisecondsADay;
}

const millisecondsADay = 86_400_000;

/** What tonight says of a category that is not walked. */
export interface RepeatingListing {
  /** What it declares, the same on every page that was looked at; null: nothing, or several totals. */
  readonly declared: number | null;
  /** Products that belong to it and that other categories showed. */
  readonly known: number;
  /** Products on the pages that were looked at and in no other category. */
  readonly onlyThere: number;
  /** Pages that were to be looked at and could not be read. */
  readonly pagesUnread: number;
  /** Products that belonged to it and that nobody shows, by what their own pages say. */
  readonly unseen: {
    readonly gone: number;
    readonly toAsk: readonly string[];
    /** For sale, no answer, or one that does not say that it is gone. */
    readonly doubtful: number;
  };
}

/** Nothing tonight speaks for a product that only this category lists; what is still to be asked apart. */
export function isRepeatedElsewhere({ declared, known, onlyThere, pagesUnread, unseen }: RepeatingListing): boolean {
  if (declared === null || onlyThere > 0 || pagesUnread > 0 || unseen.doubtful > 0) return false;
  return Math.abs(declared - known) <= Math.floor(unknownShare * known);
}
