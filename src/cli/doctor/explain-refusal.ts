import type { ConfiguredListing } from '../../app/config.ts';
import { AccessDenied, EndpointMissing } from '../../base/errors.ts';
import { typedName } from '../listings/listing-words.ts';

type About = Pick<ConfiguredListing, 'name' | 'keyVariable' | 'headerPrefix'> & {
  /** The host it was asked at. */
  readonly host: string;
};

/** What a refusal of the gateway means and what to do about it; null: the error says it itself. */
export function explainRefusal(error: unknown, { name, host, keyVariable, headerPrefix }: About): string | null {
  const variables = name.toUpperCase();
  if (error instanceof EndpointMissing) {
    return /api doesn.?t exist/i.test(error.what)
      ? `the gateway knows no listing by the host ${host} (404, "${error.what}"): copy host and key together from the listing's own page into ${variables}_HOST and ${keyVariable}. If it has moved, \`pricebook listings migrate ${typedName(name)}\` follows it.`
      : `the host ${host} is a listing, but not this one: it lacks what is asked ("${error.what}"). Copy the host from the listing's own page into ${variables}_HOST.`;
  }
  if (!(error instanceof AccessDenied)) return null;
  const said = error.what.replace(/\.$/, '');
  if (/HTTP 401/.test(said)) {
    return `the gateway does not know the key (401, "${afterStatus(said)}"): copy it again into ${keyVariable}. It is sent as ${headerPrefix}-Key; another marketplace wants another GATEWAY_HEADER_PREFIX.`;
  }
  if (/not subscribed/i.test(said)) {
    return `the account of the key in ${keyVariable} is not subscribed to this listing (403, "${afterStatus(said)}"): subscribe at the gateway, a free plan will do, and the key is good at once. If another account subscribed, its key belongs into ${variables}_KEY.`;
  }
  return `the gateway refuses the key in ${keyVariable} (${said}): compare it, and the host ${host}, with the listing's own page.`;
}

/** `HTTP 401: Invalid API key`: what stands after the status. */
function afterStatus(said: string): string {
  return said.replace(/^HTTP \d+(, \w+)?:? ?/, '');
}
