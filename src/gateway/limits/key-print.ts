import { createHmac } from 'node:crypto';

/** Fingerprint of a key for one listing, which does not reveal it. The scope of stops of the key. */
export function keyPrint(listing: string, key: string): string {
  return `${listing}:${createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16)}`;
}
