import { ContractBroken } from '../../src/base/errors.ts';
import type { CategoryPage, ListedProduct, ProductDetail, Reading, RegionCode } from '../../src/base/model/index.ts';
import { type CategoryQuestion, endpointsOf, type RegionEndpoints } from '../../src/source/endpoints/index.ts';

type Mapping = Readonly<Record<RegionCode, RegionEndpoints>>;

/** A mapping, by default the program's, with a mistake in how category pages are read. */
export function misreadingPages(
  misread: (reading: Reading<CategoryPage>) => Reading<CategoryPage>,
  mapping: Mapping = endpointsOf,
): Mapping {
  return each(mapping, ({ categoryPage, ...others }) => ({
    ...others,
    categoryPage: { ...categoryPage, read: (body, params) => misread(categoryPage.read(body, params)) },
  }));
}

/** … in how each product of a page is read. */
export function misreadingProducts(
  misread: (product: ListedProduct) => ListedProduct,
  mapping: Mapping = endpointsOf,
): Mapping {
  return misreadingPages(
    ({ records, rejected }) => ({ records: { ...records, products: records.products.map(misread) }, rejected }),
    mapping,
  );
}

/** … that does not take some products at all. */
export function rejectingProducts(isRejected: (product: ListedProduct) => boolean): Mapping {
  return misreadingPages(({ records, rejected }) => ({
    records: { ...records, products: records.products.filter((product) => !isRejected(product)) },
    rejected: [
      ...rejected,
      ...records.products.flatMap((product, place) =>
        isRejected(product)
          ? [{ path: `data.products[${place}]`, reason: 'title: not understood', value: { title: product.title } }]
          : [],
      ),
    ],
  }));
}

/** … that does not know the answers to some questions at all. */
export function breakingPages(
  isBroken: (question: CategoryQuestion) => boolean,
  mapping: Mapping = endpointsOf,
): Mapping {
  return each(mapping, ({ categoryPage, ...others }) => ({
    ...others,
    categoryPage: {
      ...categoryPage,
      read(body, params) {
        if (isBroken(params)) throw new ContractBroken(categoryPage.name, ['data: not understood']);
        return categoryPage.read(body, params);
      },
    },
  }));
}

/** … in how products' own pages are read. */
export function misreadingDetails(
  misread: (detail: ProductDetail) => ProductDetail,
  mapping: Mapping = endpointsOf,
): Mapping {
  return each(mapping, ({ productDetails, ...others }) => ({
    ...others,
    productDetails: {
      ...productDetails,
      read(body, params) {
        const { records, rejected } = productDetails.read(body, params);
        return { records: records && misread(records), rejected };
      },
    },
  }));
}

function each({ uk, ie }: Mapping, change: (endpoints: RegionEndpoints) => RegionEndpoints): Mapping {
  return { uk: change(uk), ie: change(ie) };
}
