import { productIdFrom } from '../normalise/product-id.ts';

/** A product as received. */
export interface ReceivedProduct {
  readonly productId: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where it is in the payload, such as `data.products[]`. */
  readonly path: string;
}

/**
 * Products of a payload in their order, whatever surrounds them: objects with a title and a product id. A product
 * within another one does not count.
 */
export function* productsIn(value: unknown, path = ''): Generator<ReceivedProduct> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) yield* productsIn(element, `${path}[]`);
    return;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const productId = 'title' in fields ? productIdFrom(fields['id'] ?? fields['tpnc']) : null;
  if (productId !== null) yield { productId, fields, path };
  else for (const key of Object.keys(fields)) yield* productsIn(fields[key], path === '' ? key : `${path}.${key}`);
}
