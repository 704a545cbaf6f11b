import { RequestFailed } from '../../base/errors.ts';
import { type CategoryPage, type Reading, type RegionCode, type Rejection, regions } from '../../base/model/index.ts';
import { grocery } from '../listings/index.ts';
import { withoutAdvertisements } from './advertisements.ts';
import { defineEndpoint } from './define-endpoint.ts';
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
function categoryQuery(endpoint: string, region: RegionCode, { categoryId, pageNo }: CategoryQuestion) {
  const longest = grocery.categoryIdMaxLength?.[region] ?? Number.POSITIVE_INFINITY;
  const { length } = categoryId;
  const refused = (what: string) => new RequestFailed('refused', { where: endpoint, what });
  if (length === 0) throw refused('the category id is empty');
  if (length > longest)
    throw refused(`the category id has ${length} characters, at most ${longest} work; use its parent or its children`);
  if (!Number.isSafeInteger(pageNo) || pageNo < 1) throw refused('pages count from 1');
  return { categoryId, pageNo: String(pageNo) };
}

/** An endpoint for one page of a category at any level, whose list `find` finds. */
export function defineCategoryPage(region: RegionCode, path: string, find: (name: string, body: unknown) => FoundList) {
  const name = `${region}-category-page`;
  return defineEndpoint<CategoryQuestion, CategoryPage>({
    ...{ name, listing: 'grocery', region, paths: [path] },
    query: (question) => categoryQuery(name, region, question),
    read(body, question) {
      refuseNoList(name, body, question);
      return readCategoryPage(region, question, find(name, body));
    },
  });
}

/** Throws `RequestFailed` if a first page has no data, or null or `{}` for its list: its category may be empty. */
function refuseNoList(endpoint: string, body: unknown, { pageNo }: CategoryQuestion): void {
  const { data } = Object(body) as { readonly data?: unknown };
  const { results, products } = Object(data) as Readonly<Record<string, unknown>>;
  const lists = [results, products].filter((list) => list !== undefined);
  const isMissing = lists.length === 0 ? isBare(data) : lists.every((list) => !Array.isArray(list) && isBare(list));
  if (pageNo === 1 && isMissing) throw new RequestFailed('empty', { where: endpoint, what: 'it lists no products' });
}

/** Whether a value is null, `{}` or `[]`. */
const isBare = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/** Parses the elements of a category page, found at `path`, with the page's declared totals. */
function readCategoryPage(
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
