import { type Answer, invalidQuestion, success } from './answer.ts';
import type { Catalogue, Listing } from './catalogue.ts';
import { hash } from './hash.ts';
import { ukProduct } from './product-json.ts';
import type { Behaviour } from './settings.ts';
import type { Question, World } from './world.ts';

/** `GET /product-search-by-keyword`: the first 24 products that match words of a shelf. */
export function answerSearch({ query }: Question, world: World): Answer {
  const asked = query.get('query') ?? '';
  if (asked.trim() === '') return invalidQuestion('Query is required');
  if (asked.length > longestQuery) return invalidQuestion(`Query must be at most ${longestQuery} characters`);

  const catalogue = world.catalogues.uk;
  const day = world.dayOf('uk');
  const before = pageAsked(world.behaviour.searchPages, query.get('page'));
  const { slots, total, leaves } = byWords(asked, catalogue, day, before);
  const products = slots.map((slot) => ukProduct(catalogue.product(slot, day)));
  const filters = leaves.slice(0, 10).map(({ id, name }) => ({ id, name }));
  return success(
    `{"query":${JSON.stringify(asked)},"pageInformation":{"totalResults":${total},"currentPage":${1 + before},` +
      `"resultsOnPage":${products.length},"resultsPerPage":${perPage}},"popularFilters":${JSON.stringify(filters)},` +
      `"products":[${products.join(',')}]}`,
  );
}

/** Number of pages before the requested one. Further pages of a search are undocumented. */
function pageAsked(searchPages: Behaviour['searchPages'], page: string | null): number {
  if (searchPages === 'none' || page === null || !/^\d{1,4}$/.test(page)) return 0;
  return Math.max(0, Number(page) - (searchPages === 'from1' ? 1 : 0));
}

/** The vendor refuses longer keywords, and its pages hold so many products. */
const longestQuery = 200;
const perPage = 24;

/**
 * All words must be in the name of the shelf or of a category above it. Shelves with them in most of these names rank
 * first: coffee before the tea of the same department.
 */
function byWords(asked: string, catalogue: Catalogue, day: number, pagesBefore: number) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalogue.taxonomy.leaves.flatMap((leaf) => {
    const names = leaf.path.map(({ name }) => name.toLowerCase());
    const isFound = leaf.end > leaf.first && words.every((word) => names.join(' ').includes(word));
    const hits = names.filter((name) => words.some((word) => name.includes(word))).length;
    return isFound ? [{ leaf, hits, listing: catalogue.listing(leaf, day) }] : [];
  });
  const ranked = [4, 3, 2, 1].map((hits) => found.filter((each) => each.hits === hits));
  const listings = ranked.map((group) => group.map(({ listing }) => listing));
  const most = perPage * (1 + pagesBefore);
  return {
    slots: listings.flatMap((group) => inTurn(group, day, most)).slice(perPage * pagesBefore, most),
    total: found.reduce((sum, { listing }) => sum + listing.total, 0),
    leaves: ranked.flat().map(({ leaf }) => leaf),
  };
}

/** Takes products of several shelves in rotation, like a ranking upstream. */
function inTurn(listings: readonly Listing[], day: number, most: number): number[] {
  const slots: number[] = [];
  const longest = Math.max(0, ...listings.map(({ total }) => total));
  for (let place = 0; place < longest; place += 1) {
    for (const listing of listings) {
      if (place < listing.total) slots.push(listing.slotAt(rankedAt(place, listing.total, day)));
      if (slots.length === most) return slots;
    }
  }
  return slots;
}

/** Every few days, four neighbours of a shelf rank in another order, as if by their sales. */
function rankedAt(place: number, total: number, day: number): number {
  const four = place & ~3;
  const turn = hash(four, 801, Math.floor((day + four) / 5));
  return four + 4 > total ? place : four + ((place + turn) & 3);
}
