import { type Closer, unwind } from '../../app/compose/closers.ts';
import { composeUpstream } from '../../app/compose/upstream.ts';
import { type Base, type Crawler, compose, composeAddresses, composeCrawler } from '../../app/compose.ts';
import { askedListings } from '../../app/config/asked-listings.ts';
import type { ConfiguredListing } from '../../app/config.ts';
import { AccessDenied, EndpointMissing } from '../../base/errors.ts';
import { noArchive } from '../../crawl/archive/archive.ts';
import { askOnce } from '../../crawl/probe-listings.ts';
import { listings as registry } from '../../source/listings/index.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { migrateCommand, typedName } from '../listings/listing-words.ts';
import { type Diagnosis, failure, fine } from './diagnosis.ts';

/** Sends one request to each configured listing to check host and key. The request counts like any other. */
export async function* askListings({ config, clock, log, signal }: Invocation): AsyncGenerator<Diagnosis> {
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
    const explained = explainRefusal(error, configured, await context.hostOf(name));
    const found = failure(about, error);
    const says = explained === null ? found.says : `${typedName(name)}: ${explained}`;
    // Crawling needs only the grocery listing; others are warnings.
    return { ...found, says, level: name === 'grocery' ? 'error' : 'warning' };
  }
}

/** Meaning of a refusal by the gateway at `host` and its remedy; null: the error explains itself. */
function explainRefusal(
  error: unknown,
  { name, keyVariable, headerPrefix }: ConfiguredListing,
  host: string,
): string | null {
  const variables = name.toUpperCase();
  if (error instanceof EndpointMissing) {
    return /api doesn.?t exist/i.test(error.what)
      ? `the gateway knows no listing with the host ${host} (404, "${error.what}"). Copy host and key from the ` +
          `listing's own page into ${variables}_HOST and ${keyVariable}. If the listing has moved, ` +
          `\`${migrateCommand(registry[name], host)}\` switches to its new host.`
      : `the host ${host} belongs to another listing: it lacks the requested endpoint ("${error.what}"). ` +
          `Copy the host from the listing's own page into ${variables}_HOST.`;
  }
  if (!(error instanceof AccessDenied)) return null;
  const said = error.what.replace(/\.$/, '');
  if (/HTTP 401/.test(said)) {
    return (
      `the gateway does not know the key (401, "${afterStatus(said)}"). Copy it again into ${keyVariable}. ` +
      `It is sent as ${headerPrefix}-Key; another marketplace needs another GATEWAY_HEADER_PREFIX.`
    );
  }
  if (/not subscribed/i.test(said)) {
    return (
      `the account of the key in ${keyVariable} is not subscribed to this listing (403, "${afterStatus(said)}"). ` +
      `Subscribe at the gateway; a free plan is enough, and the key works at once. ` +
      `If another account is subscribed, set its key as ${variables}_KEY.`
    );
  }
  return (
    `the gateway refuses the key in ${keyVariable} (${said}). ` +
    `Compare the key and the host ${host} with the listing's own page.`
  );
}

/** The part of `HTTP 401: Invalid API key` after the status. */
function afterStatus(said: string): string {
  return said.replace(/^HTTP \d+(, \w+)?:? ?/, '');
}
