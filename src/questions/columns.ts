import { headingOf, type Kind, type Row, type Column as Shown, type Values } from '../base/format.ts';
import type { Sql } from './sql.ts';

export { headingOf, type Kind, type Row };

/** A column of the rows. Without `of` and `expression`, the rows before the look-ups have it. */
export interface Column extends Shown {
  /** Alias of the look-up that it is of. */
  readonly of?: string;
  /** Expression about a row `asked`, and with `of` about the look-ups. PostgreSQL skips it where it is not used. */
  readonly expression?: Sql;
  /** Whether it can be null although columns of this name usually cannot. */
  readonly mayBeNull?: true;
}

/** Kinds by the last word of a name. */
const kinds = {
  ...({ price: 'money', cost: 'money', pct: 'percent', key: 'key', seq: 'key', promotion: 'yes-no' } as const),
  ...({ on: 'date', date: 'date', start: 'date', until: 'date', night: 'date', at: 'instant' } as const),
  ...({ title: 'sentence', description: 'sentence', products: 'number', nights: 'number', since: 'date' } as const),
  ...({ quantity: 'number', requests: 'number', failed: 'number', refused: 'number', rank: 'number' } as const),
  ...({ limited: 'number', quota: 'number', elements: 'number', runs: 'number', count: 'number' } as const),
  ...({ latitude: 'float', longitude: 'float', sponsored: 'yes-no', error: 'decimal', asked: 'yes-no' } as const),
};
type Endings = typeof kinds;
type KindOf<Name extends string> = {
  [Ending in keyof Endings]: Name extends Ending | `${string}_${Ending}` ? Endings[Ending] : never;
}[keyof Endings];
export interface Field<Name extends string> {
  readonly name: Name;
  readonly as: [KindOf<Name>] extends [never] ? 'text' : KindOf<Name>;
}

/** Columns that are never null, in whichever question. */
const known = [
  ...(['region', 'snapshot_date', 'product_id', 'product_key', 'currency', 'availability', 'on_promotion'] as const),
  ...(['old_price', 'new_price', 'change', 'changed_at', 'route', 'since', 'until', 'week_starts_on', 'tier'] as const),
  ...(['period', 'period_start', 'method', 'price_basis', 'base_start', 'promotion_key', 'rank', 'products'] as const),
  ...(['uk_product_id', 'ie_product_id', 'uk_product_key', 'ie_product_key', 'uk_currency', 'ie_currency'] as const),
  ...(['kind', 'began_on', 'is_asked', 'valid_from', 'endpoint', 'elements', 'runs', 'store_id', 'keyword'] as const),
  ...(['first_seen_at', 'last_seen_at', 'old_size', 'new_size', 'unit', 'quantity', 'missing', 'state'] as const),
  ...(['shared_products', 'listing', 'requests', 'spent_on'] as const),
];
type Known = (typeof known)[number];

export const isKnown = ({ name, mayBeNull }: Column): boolean =>
  !mayBeNull && (known as readonly string[]).includes(name);

/** A row of a question or of other columns. */
export type RowOf<Asked extends { readonly columns: readonly Shown[] }> = {
  readonly [Each in Asked['columns'][number] as Each['name']]:
    | Values[Each extends { readonly as: infer As extends Kind } ? As : 'text']
    | (Each extends { readonly mayBeNull: true } ? null : Each['name'] extends Known ? never : null);
};

/** Columns with default headings; the kind follows from the last word of the name. */
export function fields<const Names extends readonly string[]>(
  ...names: Names
): { readonly [Place in keyof Names]: Field<Names[Place]> } {
  const kindOf = (name: string) => kinds[name.slice(name.lastIndexOf('_') + 1) as keyof Endings] ?? 'text';
  const namesOf = (name: string) => (name === 'region' ? { names: regionNames } : {});
  return names.map((name) => ({ name, as: kindOf(name), ...namesOf(name) })) as never;
}

/** Columns of the look-up with this alias. */
export function lookedUp<const Columns extends readonly Column[]>(alias: string, ...columns: Columns): Columns {
  return columns.map((column) => ({ ...column, of: alias })) as readonly Column[] as Columns;
}

/** Columns of a question by name, in the given order. */
export function columnsOf({ columns }: { readonly columns: readonly Column[] }, ...names: readonly string[]): Column[] {
  return names.map((name) => columns.find((column) => column.name === name) ?? { name });
}

/** Names of the values of a region. */
export const regionNames = { uk: 'United Kingdom', ie: 'Ireland' } as const;

/** `22%` or `6.5%`: a size without a direction. */
export function share(value: unknown): string {
  const size = Math.abs(Number(value));
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)}%`;
}
