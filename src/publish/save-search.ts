import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { searchesOf } from '../crawl/kinds/searches.ts';
import { requestDetails } from '../crawl/ledger/details.ts';
import type { SideRun } from '../crawl/run/side-runs.ts';
import { move } from '../crawl/run/transitions.ts';
import type { ShownSearch } from '../crawl/stage/search.ts';
import { lockRun } from '../crawl/units.ts';
import { work } from '../crawl/work.ts';
import { drawChangeSeq } from '../db/change-seq.ts';
import type { Transaction } from '../db/client.ts';
import { product, searchRank } from '../db/tables/index.ts';

/** Searches for the keywords of a run that are left, and ends the run if none is. */
export async function searchKeywords(context: CrawlContext, run: SideRun, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = context;
  const { snapshotDate } = run;
  const save = (tx: Transaction, { region, keyword }: { region: string; keyword: string }, page: ShownSearch) =>
    saveSearch(tx, { region: region as RegionCode, keyword, snapshotDate, page, receivedAt: clock.now() });
  try {
    await work(context, run, searchesOf(save), signal);
  } finally {
    await context.writeSpend();
  }
  const isOver = await db.tx(async (tx) => {
    await lockRun(tx, run.runId);
    return move(tx, 'publishUnits', run, { finishedAt: clock.now() });
  });
  if (isOver) log.info({ run: run.runId }, 'searches published');
}

/** The answer to a search. */
interface ReadSearch {
  readonly region: RegionCode;
  readonly keyword: string;
  readonly snapshotDate: string;
  readonly page: ShownSearch;
  readonly receivedAt: Date;
}

/**
 * Stores the first page of a search, replacing an earlier search of the same night. It neither adds products to the
 * catalogue nor removes any: only nights determine which products are listed, and at what price. Returns how many are
 * shown differently from the catalogue: their own pages are requested the next night.
 */
export async function saveSearch(tx: Transaction, search: ReadSearch): Promise<number> {
  const { region, keyword, snapshotDate, page, receivedAt } = search;
  const shown = new Map(page.products.map((each) => [each.productId, each]));
  // A concurrent search for the same keyword waits.
  const changeSeq = await drawChangeSeq(tx);
  const isOfNight = [eq(searchRank.region, region), eq(searchRank.snapshotDate, snapshotDate)];
  await tx.orm.delete(searchRank).where(and(...isOfNight, eq(searchRank.keyword, keyword)));
  const ranks = page.ranks.map(({ rank, productId, sponsored }) => {
    const { title, brand, isForSale, priceMinor } = shown.get(productId)!;
    return {
      ...{ region, keyword, snapshotDate, rank, productId, sponsored, brand, priceMinor },
      ...{ title: title ?? productId, isForSale: isForSale ?? false, changeSeq, updatedAt: receivedAt },
    };
  });
  if (ranks.length > 0) await tx.orm.insert(searchRank).values(ranks);

  const { productId, entryHash, replacedAt } = product;
  const isShown = inArray(productId, [...shown.keys()]);
  const listed = await tx.orm
    .select({ productId, entryHash })
    .from(product)
    .where(and(eq(product.region, region), isShown, isNull(replacedAt)));
  const changed = listed.filter((each) => each.entryHash !== shown.get(each.productId)!.entryHash);
  const ids = changed.map((each) => each.productId);
  return requestDetails(tx, region, ids);
}
