import type { ListingName, Reading, RegionCode } from '../../base/model/index.ts';

/** An endpoint of a listing: its paths, parameters and parser. */
export interface Endpoint<Params, Records> {
  /** Unique name in kebab-case, used in ledger, metrics and archive: `uk-category-page`. */
  readonly name: string;
  readonly listing: ListingName;
  /** Null: not specific to a region. */
  readonly region: RegionCode | null;
  /** Paths in the order of attempts. All but the last are tried once and skipped after a 404 of the gateway. */
  readonly paths: readonly [string, ...string[]];
  /**
   * Query parameters, not percent-encoded. Throws `RequestFailed` for parameters that the upstream does not accept.
   */
  query(params: Params): Readonly<Record<string, string>>;
  /**
   * Parses the body of a successful response, including its envelope. Throws `ContractBroken` for an unknown envelope.
   */
  read(body: unknown, params: Params): Reading<Records>;
}

export const defineEndpoint = <Params, Records>(endpoint: Endpoint<Params, Records>): Endpoint<Params, Records> =>
  endpoint;
