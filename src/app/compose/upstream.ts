import { limitLines } from '../../base/limited-lines.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import type { ListingAddress } from '../../crawl/moves.ts';
import type { GatewayAddress } from '../../gateway/attempt.ts';
import { createGateway } from '../../gateway/client.ts';
import { endStopsOf } from '../../gateway/limits/stops.ts';
import { policyOf } from '../../gateway/policy.ts';
import { parseBaseUrl } from '../config/base-url.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';

/** Gateway client that keeps the limits of each listing. */
export function composeUpstream(
  { config, clock, log, db, measure }: Pick<Base, 'config' | 'clock' | 'log' | 'db' | 'measure'>,
  addressOf: (listing: ListingName) => Promise<GatewayAddress>,
  archive: Pick<Archive, 'ready' | 'put'>,
  closers: Closer[],
): Pick<CrawlContext, 'ask' | 'writeSpend'> {
  const { listings, requestConcurrency: concurrency, requestTimeoutMs: timeoutMs } = config;
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const gateway = createGateway({
    db,
    listings,
    addressOf,
    concurrency,
    timeoutMs,
    clock,
    onUnreadable: (payload) => archive.put([payload], null),
    onOutcome: ({ listing, endpoint }, { kind, tookMs }) =>
      measure.request({
        listing,
        endpoint,
        outcome: policyOf(kind).countedAs ?? 'aborted',
        seconds: tookMs === undefined ? null : tookMs / 1_000,
      }),
    onTrouble: (error) => warn({ err: error }, 'request outcomes could not be written yet'),
  });
  closers.push(() => gateway.close());
  const ask = askBy(gateway);
  return {
    async ask(...asked) {
      // An answer that cannot be stored would be lost.
      await archive.ready();
      return ask(...asked);
    },
    writeSpend: gateway.write,
  };
}

/**
 * Asks a listing at an address that it does not have yet. Another host is another subscription, so its requests are
 * counted under a name of their own, and affect neither limits nor stops of the current one.
 */
export function composeAskAt(
  { config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>,
  listing: ListingName,
  { baseUrl, host }: ListingAddress,
): { readonly ask: CrawlContext['ask']; close(): Promise<void> } {
  const { local } = parseBaseUrl(baseUrl);
  const account = `${listing}@${host}`;
  const there = { ...config.listings[listing], baseUrl, host, local, account };
  const gateway = createGateway({
    db,
    listings: { ...config.listings, [listing]: there },
    concurrency: 1,
    timeoutMs: config.requestTimeoutMs,
    clock,
  });
  return {
    ask: askBy(gateway),
    async close() {
      await gateway.close();
      // A refusal must not hold back the next try of a person, who may have subscribed meanwhile.
      await endStopsOf(db, account);
    },
  };
}

const askBy =
  (gateway: ReturnType<typeof createGateway>): CrawlContext['ask'] =>
  async (endpoint, params, runId, signal, waiting = signal) => {
    const { listing, name, region, paths } = endpoint;
    const question = { listing, endpoint: name, region, paths, query: endpoint.query(params), runId };
    return gateway.ask(question, { signal, waiting });
  };
