import { limitLines } from '../../base/limited-lines.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { CrawlContext } from '../../crawl/context.ts';
import type { GatewayAddress } from '../../gateway/attempt.ts';
import { createGateway } from '../../gateway/client.ts';
import { createSpend } from '../../gateway/limits/spend.ts';
import type { Closer } from './closers.ts';
import type { Base } from './data.ts';

/** Gateway client that keeps the limits of each listing. */
export function composeUpstream(
  { config, clock, log, db, measure }: Pick<Base, 'config' | 'clock' | 'log' | 'db' | 'measure'>,
  addressOf: (listing: ListingName) => Promise<GatewayAddress>,
  archive: Archive,
  closers: Closer[],
): Pick<CrawlContext, 'ask' | 'writeSpend'> {
  const { listings, headerPrefix, requestConcurrency: concurrency, requestTimeoutMs: timeoutMs } = config;
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const spend = createSpend({
    db,
    listings,
    clock,
    onOutcome: ({ listing, endpoint }, { kind: outcome, tookMs }) =>
      measure.request({ listing, endpoint, outcome, seconds: tookMs === undefined ? null : tookMs / 1_000 }),
    onTrouble: (error) => warn({ err: error }, 'request outcomes could not be written yet'),
  });
  closers.push(() => spend.close());
  const gateway = createGateway({
    listings,
    addressOf,
    headerPrefix,
    concurrency,
    timeoutMs,
    spend,
    clock,
    onUnreadable: (payload) => archive.put([payload], null),
    onRetry: ({ question, waitMs, reason }) =>
      log.info({ endpoint: question.endpoint, waitMs, reason }, 'asking again'),
  });
  closers.push(() => gateway.close());

  return {
    async ask(endpoint, params, runId, signal, as) {
      // An answer that cannot be stored would be lost.
      await archive.ready();
      const { listing, name, region, paths } = endpoint;
      const isHealthProbe = as === 'health-probe';
      const query = endpoint.query(params);
      return gateway.ask({ listing, endpoint: name, region, paths, query, runId, isHealthProbe }, { signal });
    },
    writeSpend: spend.write,
  };
}
