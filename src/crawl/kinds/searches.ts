import type { Transaction } from '../../db/client.ts';
import { keywordSearch } from '../../db/tables/index.ts';
import type { SearchPage } from '../../source/endpoints/index.ts';
import { ukProductSearch } from '../../source/endpoints/uk-product-search.ts';
import { type ShownSearch, shownForm } from '../stage/search.ts';
import type { KeptUnit, Kind } from '../work.ts';

type Keyword = typeof keywordSearch.$inferSelect;

interface KeptSearch extends KeptUnit {
  readonly page: ShownSearch;
}

/** Attempts per keyword and night. */
const maxAttempts = 3;

/** First pages of keyword searches, each saved as it is read. Only the United Kingdom has a search. */
export function searchesOf(
  save: (tx: Transaction, unit: Keyword, page: ShownSearch) => Promise<unknown>,
): Kind<Keyword, { readonly keyword: string }, SearchPage, KeptSearch> {
  return {
    table: keywordSearch,
    phase: 'units',
    endpoint: ukProductSearch,
    ask: ({ keyword }) => ({ keyword }),
    maxAttempts: () => maxAttempts,

    prepare: (_, { records, rejected }) => ({
      page: shownForm(records),
      values: { declaredTotal: records.declaredTotal, received: records.itemsReceived, rejected: rejected.length },
    }),

    async keep(tx, group) {
      for (const { unit, kept } of group) await save(tx, unit, kept.page);
    },
  };
}
