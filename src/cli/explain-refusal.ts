import type { ConfiguredListing } from '../app/config.ts';
import { RequestFailed } from '../base/errors.ts';
import { listings as registry } from '../source/listings/index.ts';
import { migrateCommand } from './listings.ts';

/** Meaning of a refusal by the gateway at `host` and its remedy; null: the error explains itself. */
export function explainRefusal(
  error: unknown,
  { name, keyVariable, headerPrefix }: ConfiguredListing,
  host: string,
): string | null {
  if (!(error instanceof RequestFailed)) return null;
  const variables = name.toUpperCase();
  if (error.kind === 'endpoint_missing') {
    return /api doesn.?t exist/i.test(error.what)
      ? `the gateway knows no listing with the host ${host} (404, "${error.what}"). Copy host and key from the ` +
          `listing's own page into ${variables}_HOST and ${keyVariable}. If the listing has moved, ` +
          `\`${migrateCommand(registry[name], host)}\` switches to its new host.`
      : `the host ${host} belongs to another listing: it lacks the requested endpoint ("${error.what}"). ` +
          `Copy the host from the listing's own page into ${variables}_HOST.`;
  }
  if (error.kind !== 'denied') return null;
  // `HTTP 401: Invalid API key.`
  const [, status, said = error.what] = /^HTTP (\d+)(?:, \w+)?:? ?(.*?)\.?$/.exec(error.what) ?? [];
  if (status === '401') {
    return (
      `the gateway does not know the key (401, "${said}"). Copy it again into ${keyVariable}. ` +
      `It is sent as ${headerPrefix}-Key; another marketplace needs another GATEWAY_HEADER_PREFIX.`
    );
  }
  if (/not subscribed/i.test(said)) {
    return (
      `the account of the key in ${keyVariable} is not subscribed to this listing (403, "${said}"). ` +
      `Subscribe at the gateway; a free plan is enough, and the key works at once. ` +
      `If another account is subscribed, set its key as ${variables}_KEY.`
    );
  }
  return (
    `the gateway refuses the key in ${keyVariable} (${said}). ` +
    `Compare the key and the host ${host} with the listing's own page.`
  );
}
