export const extraFieldTypes = ['text', 'number', 'boolean', 'date'] as const;

/** A field of the payloads that the configuration names (EXTRA_FIELDS), because no parser reads it. */
export interface ExtraField {
  readonly name: string;
  /** Paths within a product, such as `reviews.averageRating`; the first one that a product has counts. */
  readonly paths: readonly string[];
  readonly type: (typeof extraFieldTypes)[number];
}
