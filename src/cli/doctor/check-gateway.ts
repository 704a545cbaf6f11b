import { compose, composeCrawler } from '../../compose.ts';
import { endpointsOf } from '../../endpoints/index.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

/** How the grocery listing would be asked; nothing is. */
export function checkGateway({ upstream, listings }: Invocation['config']): Diagnosis[] {
  const { baseUrl, requestsPerSecond, monthlyQuota, keyVariable, local } = listings.grocery;
  if (upstream === 'simulator') return [fine('gateway', 'none is configured: the simulator is asked')];
  if (baseUrl === null) return [warning('gateway', 'GROCERY_BASE_URL is not set: there is nothing to crawl')];
  const pace = requestsPerSecond === 0 ? 'any number of' : requestsPerSecond;
  const diagnoses = [fine('gateway', `${baseUrl}, key from ${keyVariable}, ${pace} requests a second`)];
  if (monthlyQuota === null && !local) {
    diagnoses.push(warning('quota', "GROCERY_MONTHLY_QUOTA is not set: only the upstream's headers say when to stop"));
  }
  return diagnoses;
}

/** Spends one request of the grocery listing, counted like any other, to see whether it answers. */
export async function askGateway({ config, clock, log, signal }: Invocation): Promise<Diagnosis> {
  try {
    return await using(compose(config, { clock, log, name: 'doctor' }), (base) =>
      using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
        await context.ask(endpointsOf.uk.taxonomy, undefined, null, signal);
        return fine('upstream', 'answers, and takes the key');
      }),
    );
  } catch (error) {
    return failure('upstream', error);
  }
}
