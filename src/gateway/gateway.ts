import type { ListingName, Payload, RegionCode, Rejection } from '../base/model/index.ts';

/** A request to a listing's endpoint, and the run it belongs to. */
export interface Question {
  readonly listing: ListingName;
  readonly endpoint: string;
  readonly region: RegionCode | null;
  /** Paths in the order to try; on a gateway 404 the next one is tried. */
  readonly paths: readonly [string, ...string[]];
  /** Query parameters by name, not percent-encoded yet. */
  readonly query: Readonly<Record<string, string>>;
  readonly runId: number | null;
}

/** A successful response as received, with its body parsed once. */
export interface Answer {
  readonly payload: Payload;
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of the payload that are no JSON, and null in the body. */
  readonly nulled?: readonly Rejection[];
  /** From the request to the last byte of its answer. */
  readonly latencyMs?: number;
}

/** Sends all requests to the upstream, within its limits. */
export interface Gateway {
  /**
   * Resolves only for a success (HTTP 200, a JSON object, `success` not false); otherwise throws `RequestFailed`. Its
   * kind is `waits` if a stop or a limit holds the request back for longer than a minute. `waiting` ends the wait for
   * permission, `signal` a request under way, too.
   */
  ask(question: Question, options?: { signal?: AbortSignal; waiting?: AbortSignal }): Promise<Answer>;
  /** Writes the request counts that this process has collected, and gives back permissions that nothing waits for. */
  write(): Promise<void>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}
