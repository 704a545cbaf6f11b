import { type Closer, unwind } from '../../app/compose/closers.ts';
import { composeUpstream } from '../../app/compose/upstream.ts';
import { type Base, type Crawler, compose, composeAddresses, composeCrawler } from '../../app/compose.ts';
import { askedListings } from '../../app/config/asked-listings.ts';
import type { ConfiguredListing } from '../../app/config.ts';
import { noArchive } from '../../crawl/archive/archive.ts';
import { askOnce } from '../../crawl/probe-listings.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { typedName, warningsOf } from '../listings/listing-words.ts';
import { readListingOverviews } from '../listings/read-listings.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';
import { explainRefusal } from './explain-refusal.ts';

/** Configuration of the grocery listing, without a request. */
export function checkGateway({ upstream, listings }: Invocation['config']): Diagnosis[] {
  const { baseUrl, requestsPerSecond, monthlyQuota, keyVariable, local } = listings.grocery;
  if (upstream === 'simulator') return [fine('gateway', 'none is configured: the simulator is used')];
  if (baseUrl === null) return [warning('gateway', 'GROCERY_BASE_URL is not set: there is nothing to crawl')];
  const pace = requestsPerSecond === 0 ? 'any number of' : requestsPerSecond;
  const diagnoses = [fine('gateway', `${baseUrl}, key from ${keyVariable}, ${pace} requests a second`)];
  if (monthlyQuota === null && !local) {
    diagnoses.push(
      warning('quota', "GROCERY_MONTHLY_QUOTA is not set: only the upstream's headers limit the requests"),
    );
  }
  return diagnoses;
}

/** Hosts that have to be left, and subscriptions that are billed twice. Sends no request. */
export async function checkHosts(base: Pick<Base, 'config' | 'db' | 'clock'>): Promise<Diagnosis[]> {
  const overviews = await readListingOverviews(base);
  return overviews.flatMap(warningsOf).map((says) => warning('host', says));
}

/** Sends one request to each configured listing to check host and key. The request counts like any other. */
export async function* askGateway(invocation: Invocation): AsyncGenerator<Diagnosis> {
  const { config, clock, log, signal } = invocation;
  try {
    yield* await using(compose(config, { clock, log, name: 'doctor' }), (base) =>
      using(openAsking(base), async ({ context }) => {
        const diagnoses: Diagnosis[] = [];
        for (const name of askedListings(config))
          diagnoses.push(await askListing(context, config.listings[name], signal));
        return diagnoses;
      }),
    );
  } catch (error) {
    yield failure('upstream', error);
  }
}

type Asking = Pick<Crawler['context'], 'ask' | 'hostOf'>;

/** For a live gateway the world of the database is not recorded, because the configured host may be wrong. */
async function openAsking(base: Base): Promise<{ context: Asking; close(graceMs: number): Promise<unknown> }> {
  if (base.config.upstream === 'simulator') return composeCrawler(base, { jobs: [] });
  const closers: Closer[] = [];
  const addressOf = composeAddresses(base);
  const { ask } = composeUpstream(base, addressOf, noArchive, closers);
  return {
    context: { ask, hostOf: async (listing) => (await addressOf(listing)).host },
    close: () => unwind(closers),
  };
}

async function askListing(context: Asking, configured: ConfiguredListing, signal: AbortSignal): Promise<Diagnosis> {
  const { name } = configured;
  const about = name === 'grocery' ? 'upstream' : typedName(name);
  try {
    const { payload } = await askOnce(context, name, signal);
    return fine(about, `answers at ${payload.host} and accepts the key`);
  } catch (error) {
    signal.throwIfAborted();
    const explained = explainRefusal(error, { ...configured, host: await context.hostOf(name) });
    const found = failure(about, error);
    const says = explained === null ? found.says : `${typedName(name)}: ${explained}`;
    // Crawling needs only the grocery listing; others are warnings.
    return { ...found, says, level: name === 'grocery' ? 'error' : 'warning' };
  }
}
