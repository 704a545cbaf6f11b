import type { ListingName } from '../../base/model/index.ts';
import { createAddressBook } from '../../crawl/ledger/address-book.ts';
import type { GatewayAddress } from '../../gateway/attempt.ts';
import { parseBaseUrl } from '../config/base-url.ts';
import type { Config } from '../config.ts';
import type { Base } from './data.ts';

/** Current address of each listing: as configured, or after recorded moves. */
export function composeAddresses({ config, db }: { config: Pick<Config, 'listings'>; db: Base['db'] }) {
  const book = createAddressBook(db);
  return async (listing: ListingName): Promise<GatewayAddress> => {
    const { baseUrl, host, local } = config.listings[listing];
    if (baseUrl === null) return { baseUrl, host, local };
    const address = await book.of(listing, { baseUrl, host });
    return { ...address, local: address.baseUrl === baseUrl ? local : parseBaseUrl(address.baseUrl).local };
  };
}
