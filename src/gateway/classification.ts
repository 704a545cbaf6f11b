/** What a response means for the question, and so for what happens next. Nothing but `ok` is ever read as data. */
export type Classification =
  | { readonly kind: 'ok'; readonly body: Readonly<Record<string, unknown>> }
  /** Too fast. `windowMs` is the window the limit names, one second when it names none. */
  | { readonly kind: 'rate_limited'; readonly windowMs: number; readonly retryAfterMs: number | null }
  /** The quota is used up; `until` as far as the headers say. */
  | { readonly kind: 'quota'; readonly what: string; readonly until: Date | null }
  /** The key is missing, unknown or not subscribed. */
  | { readonly kind: 'denied'; readonly what: string }
  /** The plan does not include this endpoint. */
  | { readonly kind: 'endpoint_disabled' }
  /** The gateway knows no such path or listing. */
  | { readonly kind: 'endpoint_missing'; readonly what: string }
  | { readonly kind: 'redirect'; readonly to: string | null }
  /** The vendor has no such thing. */
  | { readonly kind: 'not_there' }
  /** This question is wrong for the upstream, and asking again will not help. */
  | { readonly kind: 'refused'; readonly what: string }
  /** A failure that may pass. */
  | { readonly kind: 'unavailable'; readonly what: string; readonly retryAfterMs: number | null }
  /** Nothing we know: tried once more, then given up. */
  | { readonly kind: 'unknown'; readonly what: string };
