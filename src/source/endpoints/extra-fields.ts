import type { ExtraField, ListedProduct } from '../../base/model/index.ts';
import { storableText } from '../normalise/text.ts';
import { productsIn } from './products-in.ts';

interface Product {
  readonly productId: string;
  extra?: ListedProduct['extra'];
}

const longestText = 2_000;

/** Adds the values of extra fields to the products that were read from a body, a list or an own page. */
export function addExtraFields(records: unknown, body: unknown, fields: readonly ExtraField[]): void {
  if (fields.length === 0 || typeof records !== 'object' || records === null) return;
  const isList = 'products' in records;
  if (!isList && !('productId' in records)) return;
  const products = isList ? (records.products as readonly Product[]) : [records as Product];
  const received = new Map([...productsIn(body)].map(({ productId, fields: given }) => [productId, given]));
  for (const product of products) product.extra = valuesOf(received.get(product.productId) ?? {}, fields);
}

/** Null: none of the fields has a value. */
export function valuesOf(product: object, fields: readonly ExtraField[]): NonNullable<ListedProduct['extra']> | null {
  const values = fields.flatMap((field) => {
    const value = readValue(product, field);
    return value === null ? [] : [[field.name, value] as const];
  });
  return values.length === 0 ? null : Object.fromEntries(values);
}

/** The first path that a product has counts. Null: it has none, or the value does not fit the type. */
function readValue(product: object, { paths, type }: ExtraField): string | number | boolean | null {
  const value = paths.map((path) => valueAt(product, path)).find((found) => found !== undefined);
  if (value === undefined || value === null || typeof value === 'object') return null;
  const text = storableText(String(value)).normalize('NFC').trim();
  return text === '' ? null : convert[type](text);
}

/** Below null, everything is null. */
function valueAt(product: object, path: string): unknown {
  let at: unknown = product;
  for (const step of path.split('.')) {
    if (at === null) return null;
    if (typeof at !== 'object' || Array.isArray(at) || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}

const convert: Readonly<Record<ExtraField['type'], (text: string) => string | number | boolean | null>> = {
  text: (text) => (text.length > longestText ? null : text),
  // Numbers of more digits would be rounded.
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?(e[+-]?\d{1,2})?$/i.test(text) ? Number(text) : null),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : null),
  /** The date as written, also of an instant. */
  date: (text) => {
    const day = /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(text)?.[0];
    const isDay = day !== undefined && day >= '0001' && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
    return isDay ? day : null;
  },
};
