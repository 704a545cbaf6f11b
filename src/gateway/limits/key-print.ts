import { createHmac } from 'node:crypto';

/**
 * Fingerprint that identifies a key without revealing it; stored for keys that were refused or whose quota is used up.
 */
export function keyPrint(listing: string, key: string): string {
  return createHmac('sha256', `pricebook key of ${listing}`).update(key).digest('hex').slice(0, 16);
}
