import { type Endpoint, type SearchPage, ukProductSearch } from '../source/endpoints/index.ts';

/** The search with a page number, which no document names and one public client sends. */
export function pageOfSearch(page: number): Endpoint<{ readonly keyword: string }, SearchPage> {
  return { ...ukProductSearch, query: (asked) => ({ ...ukProductSearch.query(asked), page: String(page) }) };
}

/**
 * Whether a search goes on behind its first page, and from which number it counts: asks for page 1 and, where that is
 * the first one again, for page 2.
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
