/** An element that could not be understood: dropped, counted, and kept in quarantine. */
export interface Rejection {
  /** Where in the body: `data.products[3].price`. */
  readonly path: string;
  /** One line, stable enough to group by. */
  readonly reason: string;
  /** The element as received. */
  readonly value: unknown;
  /** Only part of an element, which is kept without it. */
  readonly isPart?: boolean;
}

/** What a payload says, in our words. */
export interface Reading<Records> {
  readonly records: Records;
  readonly rejected: readonly Rejection[];
}
