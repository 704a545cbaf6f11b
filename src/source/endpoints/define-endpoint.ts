import type { ListingName, Reading, RegionCode } from '../../base/model/index.ts';

/** One kind of question a listing answers: where to ask, what may come back, and what it means to us. */
export interface Endpoint<Params, Records> {
  /** Kebab-case, unique; the label in ledger, metrics and archive: `uk-category-page`. */
  readonly name: string;
  readonly listing: ListingName;
  /** null: the endpoint belongs to no region. */
  readonly region: RegionCode | null;
  /** Paths in the order to try; all but the last are tried once and given up on a gateway 404. */
  readonly paths: readonly [string, ...string[]];
  /**
   * Query parameters by name, not yet percent-encoded. Throws `QuestionInvalid` when the upstream could not accept
   * them.
   */
  query(params: Params): Readonly<Record<string, string>>;
  /**
   * The parsed body of a success (envelope included) into our model. Throws `ContractBroken` when the envelope is not
   * what we know.
   */
  read(body: unknown, params: Params): Reading<Records>;
}

export const defineEndpoint = <Params, Records>(endpoint: Endpoint<Params, Records>): Endpoint<Params, Records> =>
  endpoint;
