/** An element that could not be parsed. It is dropped, counted and kept in quarantine. */
export interface Rejection {
  /** Path within the body: `data.products[3].price`. */
  readonly path: string;
  /** One line, stable enough for grouping. */
  readonly reason: string;
  /** The element as received. */
  readonly value: unknown;
  /** Whether only a part of an element was rejected; the element itself is kept. */
  readonly isPart?: boolean;
}

/** Records parsed from a payload, and rejected elements. */
export interface Reading<Records> {
  readonly records: Records;
  readonly rejected: readonly Rejection[];
}
