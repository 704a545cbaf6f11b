import { localDate } from '../base/local-date.ts';
import { type RegionCode, regions } from '../base/model/index.ts';
import { type SearchPage, searchOf } from '../source/endpoints/index.ts';
import { consequenceOf } from './consequence.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import { maxSearchAttempts, type SearchNight } from './ledger/keyword-searches.ts';
import { publishSearch, type SearchSaved } from './publish-search.ts';
import { pausedUntil } from './queue/paused-until.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'ask' | 'ingest' | 'searches' | 'settings'>;

/** The night to which a search belongs now. */
export function searchNight(region: RegionCode, now: Date): SearchNight {
  return { region, snapshotDate: localDate(now, regions[region].timeZone) };
}

/** Searches for the night's remaining keywords. A limit or an outage ends the loop; the watchdog resumes it later. */
export async function searchProducts(context: Needs, night: SearchNight, signal: AbortSignal): Promise<void> {
  const { clock, log, searches } = context;
  while (!signal.aborted) {
    const claimed = await searches.claim(night, clock.now());
    if (!claimed) return;
    const { keyword, attempts } = claimed;
    try {
      const { saved, page } = await searchFor(context, night, keyword, signal);
      log.info({ region: night.region, keyword, products: page.products.length, ...saved }, 'keyword searched');
    } catch (error) {
      const why = error instanceof Error ? error : new Error(String(error));
      const consequence = signal.aborted ? 'wait' : consequenceOf(error);
      const waits = consequence === 'pause' || consequence === 'wait';
      await searches.settle(night, keyword, {
        isOver: !waits && (consequence === 'give_up' || attempts >= maxSearchAttempts),
        costsAttempt: !waits,
        why: why.message,
        until: waits && !signal.aborted ? pausedUntil(why, clock.now()) : null,
      });
      if (waits) return;
      if (consequence === 'bug') throw error;
    }
  }
}

/** Searches for a keyword now and stores the page for the night, even if it is not one of SEARCH_KEYWORDS. */
export async function searchFor(
  context: Pick<Needs, 'db' | 'ask' | 'ingest'>,
  { region, snapshotDate }: SearchNight,
  keyword: string,
  signal: AbortSignal,
  { isSaved = true }: { readonly isSaved?: boolean } = {},
): Promise<{ readonly page: SearchPage; readonly saved: SearchSaved | null }> {
  const endpoint = searchOf[region]!;
  const answer = await context.ask(endpoint, { keyword }, null, signal);
  const { records: page, rejected } = await ingestOne(context.ingest, endpoint, { params: { keyword }, answer }, null);
  if (!isSaved) return { page, saved: null };
  const { sha256: payloadSha256, receivedAt } = answer.payload;
  const saved = await publishSearch(context.db, {
    region,
    snapshotDate,
    page,
    rejected,
    payloadSha256,
    receivedAt,
    endpoint: endpoint.name,
  });
  return { page, saved };
}
