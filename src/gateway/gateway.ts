import type { ListingName, Payload, RegionCode } from '../base/model/index.ts';
import type { Headers } from './quota.ts';

/** What we want to know, of which listing, and for which run. */
export interface Question {
  readonly listing: ListingName;
  readonly endpoint: string;
  readonly region: RegionCode | null;
  /** In the order to try; all but the last are given up on a gateway 404. */
  readonly paths: readonly [string, ...string[]];
  /** By name, not yet percent-encoded. */
  readonly query: Readonly<Record<string, string>>;
  readonly runId: number | null;
  /** It was answered before, and is asked again only to see whether the upstream is there. */
  readonly isHealthProbe?: boolean;
}

/** A success: the response as received, and its body parsed once. */
export interface Answer {
  readonly payload: Payload;
  readonly body: Readonly<Record<string, unknown>>;
  /** From the request to the last byte of its answer. */
  readonly latencyMs?: number;
  /** What it tells of the limits, by lower-case name. */
  readonly rateHeaders?: Headers;
}

/** The one way out of the house: asks the upstream within its limits. */
export interface Gateway {
  /**
   * Resolves only for a success (HTTP 200, a JSON object, `success` not false); everything else throws one of
   * `src/base/errors.ts`.
   */
  ask(question: Question, options?: { signal?: AbortSignal }): Promise<Answer>;
  /** Cuts off what is still in flight. */
  close(): Promise<void>;
}
