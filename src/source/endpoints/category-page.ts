import { RequestFailed } from '../../base/errors.ts';
import { type CategoryPage, type Reading, type RegionCode, type Rejection, regions } from '../../base/model/index.ts';
import { grocery } from '../listings/index.ts';
import { withoutAdvertisements } from './advertisements.ts';
import { readListedProducts } from './listed-product.ts';
import { readPageInformation } from './page-information.ts';

export interface CategoryQuestion {
  readonly categoryId: string;
  /** Starts at 1. */
  readonly pageNo: number;
}

/**
 * Query parameters of a category page. Throws `RequestFailed` if the id is too long for the region's endpoint or the
 * page is before the first.
 */
export function categoryQuery(endpoint: string, region: RegionCode, { categoryId, pageNo }: CategoryQuestion) {
  const longest = grocery.categoryIdMaxLength?.[region] ?? Number.POSITIVE_INFINITY;
  if (categoryId === '') throw new RequestFailed('refused', { where: endpoint, what: 'the category id is empty' });
  if (categoryId.length > longest) {
    throw new RequestFailed('refused', {
      where: endpoint,
      what:
        `the category id has ${categoryId.length} characters, the maximum is ${longest}; ` +
        'use its parent or its children',
    });
  }
  if (!Number.isSafeInteger(pageNo) || pageNo < 1)
    throw new RequestFailed('refused', { where: endpoint, what: 'pages count from 1' });
  return { categoryId, pageNo: String(pageNo) };
}

/** Parses the elements of a category page, found at `path`, with the page's declared totals. */
export function readCategoryPage(
  region: RegionCode,
  { categoryId, pageNo }: CategoryQuestion,
  { list, path, pageInformation }: FoundList,
): Reading<CategoryPage> {
  const rejected: Rejection[] = [];
  const page = readPageInformation(pageInformation);
  const listed = withoutAdvertisements(list, { categoryId, pageNo }, page);
  const products = readListedProducts(listed, regions[region], path, rejected);
  return { records: { categoryId, pageNo, ...page, itemsReceived: list.length, products }, rejected };
}

export interface FoundList {
  readonly list: readonly unknown[];
  readonly path: string;
  readonly pageInformation: unknown;
}
