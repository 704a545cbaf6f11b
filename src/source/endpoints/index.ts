import { type CategoryPage, type ProductDetail, type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { CategoryQuestion } from './category-page.ts';
import type { Endpoint } from './define-endpoint.ts';
import { groceryHealth, property1Health, property2Health } from './health.ts';
import { ieCategoryPage } from './ie-category-page.ts';
import { ieProductDetails, type ProductQuestion, ukProductDetails } from './product-details.ts';
import { storeList } from './store-list.ts';
import { ieTaxonomy, type Taxonomy, ukTaxonomy } from './taxonomy.ts';
import { ukCategoryPage } from './uk-category-page.ts';
import { ukProductSearch } from './uk-product-search.ts';

export type { CategoryQuestion } from './category-page.ts';
export type { Endpoint } from './define-endpoint.ts';
export * from './health.ts';
export * from './ie-category-page.ts';
export * from './product-details.ts';
export * from './store-list.ts';
export * from './taxonomy.ts';
export * from './uk-category-page.ts';
export * from './uk-product-search.ts';

/** All endpoints in the order of a night. */
export const endpoints: readonly Endpoint<never, unknown>[] = [
  ukTaxonomy,
  ieTaxonomy,
  ukCategoryPage,
  ieCategoryPage,
  ukProductDetails,
  ieProductDetails,
  ukProductSearch,
  storeList,
  groceryHealth,
  property1Health,
  property2Health,
];

export interface RegionEndpoints {
  readonly taxonomy: Endpoint<void, Taxonomy>;
  readonly categoryPage: Endpoint<CategoryQuestion, CategoryPage>;
  readonly productDetails: Endpoint<ProductQuestion, ProductDetail | null>;
}

/** Search endpoint by region; Ireland has none. */
export const searchOf: Readonly<Record<RegionCode, typeof ukProductSearch | null>> = { uk: ukProductSearch, ie: null };

export const searchedRegions: readonly RegionCode[] = regionCodes.filter((region) => searchOf[region] !== null);

/** Endpoints used by a crawl of a region. */
export const endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>> = {
  uk: { taxonomy: ukTaxonomy, categoryPage: ukCategoryPage, productDetails: ukProductDetails },
  ie: { taxonomy: ieTaxonomy, categoryPage: ieCategoryPage, productDetails: ieProductDetails },
};
