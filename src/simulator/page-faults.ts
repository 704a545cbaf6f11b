import type { Listing } from './catalogue.ts';
import type { Firing } from './fault-rules.ts';
import { happens, hash } from './hash.ts';

/** A page before its products are written. */
export interface Page {
  readonly total: number;
  /** Declared number of products. */
  readonly declared: number;
  /** Slots; `-1` is a null node. */
  readonly slots: readonly number[];
  /** Slots of additional sponsored items beyond the count. */
  readonly sponsored: readonly number[];
}

/** A page of a listing without faults; `pageNo` starts at 1. */
export function pageOf(listing: Listing, pageNo: number, pageSize: number): Page {
  const from = (pageNo - 1) * pageSize;
  const slots: number[] = [];
  const end = Math.min(listing.total, from + pageSize);
  for (let place = from; place < end; place += 1) slots.push(listing.slotAt(place));
  return { total: listing.total, declared: slots.length, slots, sponsored: [] };
}

/** Applies faults of place `listing`. */
export function distortListing(listing: Listing, firings: readonly Firing[]): Listing {
  return firings.reduce((shown, { rule, nth }) => {
    if (rule.kind === 'shift') return shift(shown, rule.count ?? 1, nth > (rule.after ?? 1));
    if (rule.kind === 'cap') return capped(shown, rule.count ?? 10_000);
    if (rule.kind === 'unlisted') return without(shown, rule.share ?? 0.27);
    return rule.kind === 'tenth' ? tenth(shown) : shown;
  }, listing);
}

/** Truncates a listing to `most` products. */
export function capped(listing: Listing, most: number): Listing {
  return listing.total > most ? { ...listing, total: most } : listing;
}

/** Applies faults of place `page`. */
export function distortPage(page: Page, listing: Listing, place: PagePlace, firings: readonly Firing[]): Page {
  return firings.reduce(
    (shown, firing) => distortions[firing.rule.kind]?.(shown, listing, place, firing) ?? shown,
    page,
  );
}

interface PagePlace {
  readonly pageNo: number;
  readonly pageSize: number;
}

type Distortion = (page: Page, listing: Listing, place: PagePlace, firing: Firing) => Page;

const distortions: Readonly<Record<string, Distortion>> = {
  emptyPage: (page) => ({ ...page, slots: [], declared: 0 }),

  /** Changed order between two requests: the end of the previous page replaces the beginning of this page. */
  duplicates(page, listing, { pageNo, pageSize }, { rule }) {
    const from = (pageNo - 1) * pageSize;
    // Pages past the end contain nulls only.
    if (from >= listing.total) return page;
    const count = Math.min(rule.count ?? 3, page.slots.length, from);
    const again = Array.from({ length: count }, (_, index) => listing.slotAt(from - count + index));
    return { ...page, slots: [...again, ...page.slots.slice(count)] };
  },

  /** Fewer products than declared. */
  missingItems: (page, _listing, _place, { rule }) => ({
    ...page,
    slots: page.slots.slice(0, Math.max(0, page.slots.length - (rule.count ?? 1))),
  }),

  /** Null nodes among the products; with `total: 0` they replace products. */
  nullNodes(page, _listing, _place, { rule, draw }) {
    const slots = [...page.slots];
    for (let index = 0; index < (rule.count ?? 1); index += 1) {
      slots.splice((draw + index * 7) % (slots.length + 1), rule.total === 0 ? 1 : 0, -1);
    }
    return { ...page, slots };
  },

  /** Products of other pages of the category, in addition to the count. */
  sponsored(page, listing, _place, { rule, draw }) {
    const count = listing.total === 0 ? 0 : (rule.count ?? 3);
    const sponsored = Array.from({ length: count }, (_, index) => listing.slotAt((draw + index * 31) % listing.total));
    return { ...page, sponsored };
  },

  wrongTotal: (page, _listing, _place, { rule }) => ({
    ...page,
    total: Math.max(0, rule.total ?? page.total + (rule.delta ?? 1)),
  }),
};

function tenth({ total, slotAt }: Listing): Listing {
  return { total: Math.ceil(total / 10), slotAt: (place) => slotAt(place * 10) };
}

/** Removes a share of all products from listings and totals; their details stay. */
function without(listing: Listing, share: number): Listing {
  const slots = Array.from({ length: listing.total }, (_, place) => listing.slotAt(place));
  const left = slots.filter((slot) => !happens(share, hash(unlistedSeed, 711, slot)));
  return { total: left.length, slotAt: (place) => left[place]! };
}

/** Independent of the simulator's seed, so that the choice does not depend on generated products. */
const unlistedSeed = 1;

/**
 * Products at the front disappear (`count` > 0) or appear (`count` < 0) during paging, so that all others move to other
 * pages.
 */
function shift(listing: Listing, count: number, hasHappened: boolean): Listing {
  const isShort = count > 0 ? hasHappened : !hasHappened;
  if (!isShort) return listing;
  const short = Math.min(Math.abs(count), listing.total);
  return { total: listing.total - short, slotAt: (place) => listing.slotAt(place + short) };
}
