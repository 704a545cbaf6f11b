import type { ConfiguredListing } from '../../app/config.ts';
import { AccessDenied, EndpointMissing } from '../../base/errors.ts';
import { listings as registry } from '../../source/listings/index.ts';
import { migrateCommand } from '../listings/listing-words.ts';

type About = Pick<ConfiguredListing, 'name' | 'keyVariable' | 'headerPrefix'> & {
  /** Host that received the request. */
  readonly host: string;
};

/** Meaning of a refusal by the gateway and its remedy; null: the error explains itself. */
export function explainRefusal(error: unknown, { name, host, keyVariable, headerPrefix }: About): string | null {
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
