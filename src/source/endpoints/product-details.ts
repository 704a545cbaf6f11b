import { z } from 'zod';
import { ContractBroken, RequestFailed } from '../../base/errors.ts';
import type { ProductDetail, RegionCode, Rejection } from '../../base/model/index.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { defineEndpoint, type Endpoint } from './define-endpoint.ts';
import { toProductDetail } from './detailed-product.ts';
import { reportFields } from './elements.ts';
import { enveloped, readBatch, readContract } from './envelope.ts';

export interface ProductQuestion {
  /** Product id, or the product's address in the shop. */
  readonly productId: string;
}

export const ukProductDetails = defineProductDetails('uk-product-details', 'uk', '/product-details');
export const ieProductDetails = defineProductDetails('ie-product-details', 'ie', '/ireland-product-details');

/**
 * Parser of product details; null if the upstream reports that the product does not exist. Throws `RequestFailed`
 * for errors instead of a product, because a failed request says nothing about it.
 */
function defineProductDetails(
  name: string,
  region: RegionCode,
  path: string,
): Endpoint<ProductQuestion, ProductDetail | null> {
  return defineEndpoint<ProductQuestion, ProductDetail | null>({
    name,
    listing: 'grocery',
    region,
    paths: [path],

    query({ productId }) {
      if (productIdFrom(productId) === null)
        throw new RequestFailed('refused', {
          where: name,
          what: 'the product must be given by its id or its address in the shop',
        });
      // The interface accepts both (specification, section 4.1), so neither is converted.
      return { productId: productId.trim() };
    },

    read(body, { productId }) {
      const { data } = readContract(name, Answer, body);
      const product = findProduct(name, data);
      const rejected: Rejection[] = [];
      if (product === null) return { records: null, rejected };
      const asked = productIdFrom(productId) ?? productIdFrom(data.productId) ?? productId;
      if (!isOf(product, asked))
        throw new ContractBroken(name, ['data.results[].data.product.id: another product than was asked for']);
      const report = reportFields('data.results[].data.product', rejected);
      return { records: toProductDetail(product, asked, report), rejected };
    },
  });
}

/**
 * Compares all product numbers, ignoring leading zeros. A product without `id` and `tpnc` is assumed to be the
 * requested one.
 */
function isOf({ id, tpnc, tpnb, baseProductId }: NonNullable<Found>, asked: string): boolean {
  if (productIdFrom(id) === null && productIdFrom(tpnc) === null) return true;
  return [id, tpnc, tpnb, baseProductId].some((number) => {
    const known = productIdFrom(number);
    return known !== null && withoutZeros(known) === withoutZeros(asked);
  });
}

const withoutZeros = (id: string): string => id.replace(/^0+(?=.)/, '');

const Anything = z.unknown().optional();

const Answer = enveloped(
  z
    .object({ productId: Anything, results: Anything, product: Anything })
    .refine((data) => typeof data.results !== 'string' && typeof data.results !== 'number', {
      path: ['results'],
      error: 'expected an object, a list or null',
    }),
);

type Found = Readonly<Record<string, unknown>> | null;

/** Looks for `results[0].data.product`, `results.data.product`, `results.product` and `product`, in this order. */
function findProduct(name: string, data: z.output<typeof Answer>['data']): Found {
  const { results } = data;
  const isEmpty =
    results == null || (Array.isArray(results) && (results.length === 0 || results.every((entry) => entry === null)));
  if (isEmpty) return data.product === undefined ? null : asProduct(name, data.product, 'data.product');
  const answered = readBatch(name, results);
  for (const [holder, path] of [
    [answered, 'data.results[].data.product'],
    [Array.isArray(results) ? results[0] : results, 'data.results.product'],
  ] as const) {
    if (typeof holder === 'object' && holder !== null && 'product' in holder)
      return asProduct(name, holder.product, path);
  }
  throw new ContractBroken(name, ['data.results[].data.product: missing']);
}

function asProduct(name: string, product: unknown, path: string): Found {
  if (product === null) return null;
  if (typeof product !== 'object' || Array.isArray(product))
    throw new ContractBroken(name, [`${path}: expected an object or null`]);
  return product as Found;
}
