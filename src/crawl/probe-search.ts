import { type Endpoint, type SearchPage, ukProductSearch } from '../source/endpoints/index.ts';

/** The search endpoint with a page number, a parameter that is undocumented but sent by one public client. */
export function pageOfSearch(page: number): Endpoint<{ readonly keyword: string }, SearchPage> {
  return { ...ukProductSearch, query: (asked) => ({ ...ukProductSearch.query(asked), page: String(page) }) };
}

/**
 * Finds out whether a search has more than one page, and whether page numbers start at 0 or 1. Requests page 1, and
 * page 2 if page 1 repeats the first page.
 */
export async function searchPaging(
  first: SearchPage,
  ask: (page: number) => Promise<SearchPage | null>,
): Promise<'from 0' | 'from 1' | 'the first page only' | 'unknown'> {
  if (first.itemsReceived === 0 || first.itemsReceived === first.declaredTotal) return 'unknown';
  for (const [page, meaning] of [
    [1, 'from 0'],
    [2, 'from 1'],
  ] as const) {
    const other = await ask(page);
    if (other === null) return 'unknown';
    if (idsOf(other) !== idsOf(first)) return meaning;
  }
  return 'the first page only';
}

const idsOf = ({ products }: SearchPage): string => products.map(({ productId }) => productId).join(' ');
