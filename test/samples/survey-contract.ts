import { ContractBroken, UpstreamUnavailable } from '../../src/base/errors.ts';
import { type Endpoint, endpoints, ieCategoryPage, ieProductDetails } from '../../src/source/endpoints/index.ts';
import { normaliseGtin } from '../../src/source/normalise/barcode.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { readIngredients } from '../../src/source/normalise/ingredients.ts';
import { readNutrition } from '../../src/source/normalise/nutrition.ts';
import { packSizeFromList } from '../../src/source/normalise/pack-list.ts';
import { packSizeFromTitle } from '../../src/source/normalise/pack-title.ts';
import type { Finding, Samples } from './survey.ts';
import { finding } from './survey-shelves.ts';

/** Bodies of the contract, details of products and nutrition tables. */
export function surveyContract(samples: Samples): readonly Finding[] {
  return [...surveyExamples(samples), surveyFragments(samples), ...surveyNutrition(samples), ...surveyDetails(samples)];
}

function surveyExamples(samples: Samples): readonly Finding[] {
  const files = samples.list('contract/examples').map((file) => {
    const [, path = '', status = ''] = /^(.*)\.(\d+)\.json$/.exec(file) ?? [];
    return { file, path: `/${path}`, isSuccess: status === '200' };
  });
  const read = ({ file, path }: (typeof files)[number]) => {
    const endpoint = endpoints.find(({ paths }) => paths.includes(path)) as Endpoint<unknown, unknown> | undefined;
    return endpoint?.read(samples.json(`contract/examples/${file}`), {
      categoryId: 'b;',
      pageNo: 1,
      productId: '1',
      keyword: 'x',
    });
  };
  return [
    finding(
      'contract examples of success',
      files.filter(({ isSuccess }) => isSuccess),
      (example) => read(example)?.rejected.length === 0,
      ({ file }) => file,
    ),
    finding(
      'contract examples of failure refused',
      files.filter(({ isSuccess }) => !isSuccess),
      (example) => throws(() => read(example), ContractBroken),
      ({ file }) => file,
    ),
  ];
}

function surveyFragments(samples: Samples): Finding {
  const fragments = samples.json('contract/upstream_fragments.json') as Record<string, unknown>;
  const fragmentOf = (beginning: string) => Object.entries(fragments).find(([name]) => name.startsWith(beginning))?.[1];
  const page = (results: unknown) =>
    ieCategoryPage.read({ success: true, data: { results } }, { categoryId: 'b;', pageNo: 1 }).records;
  const details = (results: unknown, productId = '1') =>
    ieProductDetails.read({ success: true, data: { results } }, { productId }).records;
  const detailOf = (name: string) => {
    const product = fragmentOf(name) as { readonly id: string | null; readonly tpnc: string | null };
    return details([{ data: { product } }], product.id ?? product.tpnc ?? undefined);
  };
  const checks: Record<string, () => boolean> = {
    'a listing with a null node': () => page(fragmentOf('hu_search')).nullNodes === 1,
    'totals of a listing': () => page(fragmentOf('hu_search')).declaredTotal !== null,
    'a query refused': () => throws(() => details(fragmentOf('gql_validation')), UpstreamUnavailable),
    'access refused': () => throws(() => details(fragmentOf('gql_unauthorised')), UpstreamUnavailable),
    'a product not found': () => details(fragmentOf('gql_product_not_found')) === null,
    'a packaged product': () => detailOf('uk_packaged')?.packMeasure === 'ml',
    'a loose product': () => detailOf('uk_loose')?.priceMinor != null && detailOf('uk_loose')?.packSize === null,
    'a catch-weight product': () => detailOf('uk_catchweight')?.priceMinor != null,
    'a product of another country': () => detailOf('hu_banana')?.gtin?.length === 14,
  };
  return finding(
    'upstream fragments',
    Object.keys(checks),
    (name) => checks[name]?.() === true,
    (name) => name,
  );
}

type Row = Readonly<Record<string, unknown>>;

function surveyNutrition(samples: Samples): readonly Finding[] {
  const pages = samples.json('uk/nutrition_pages.json') as { title: string; nutrition: Record<string, string> }[];
  const tables: [string, Row[]][] = [
    ['empty', samples.json('uk/nutrition_empty.json') as Row[]],
    ['oat drink', samples.json('uk/nutrition_oatly-barista.json') as Row[]],
    ...pages.map(({ title, nutrition }): [string, Row[]] => [
      title,
      Object.entries(nutrition).map(([name, value1]) => ({ name, value1 })),
    ]),
  ];
  // A row has an amount if its first cell contains a digit and is not the header; each must be kept as printed.
  const cells = tables.flatMap(([title, table]) => {
    const printed = new Set(readNutrition(table).map((value) => value.printed));
    return table
      .filter(({ name, value1 }) => /\d/.test(String(value1)) && !/typical/i.test(String(name)))
      .map(({ name, value1 }) => ({ title, name, isRead: printed.has(String(value1)) }));
  });
  const energies = tables.flatMap(([, table]) =>
    readNutrition(table).filter(({ nutrient }) => nutrient.startsWith('energy')),
  );
  return [
    finding(
      'nutrition cells with an amount',
      cells,
      ({ isRead }) => isRead,
      ({ title, name }) => `${title}: ${String(name)}`,
    ),
    finding(
      'energies, kJ and kcal in agreement',
      energies,
      ({ unit }) => unit !== 'unknown',
      ({ printed }) => printed,
    ),
  ];
}

function surveyDetails(samples: Samples): readonly Finding[] {
  const { results } = samples.json('other/details_hu.json') as { results: Row[] };
  const name = (product: Row) => String(product['name']);
  return [
    finding(
      'details of another country: ingredients re-joined',
      results,
      (product) => {
        const text = readIngredients(product['ingredients']).text ?? '';
        return text !== '' && !/\(\d+, \d/.test(text);
      },
      name,
    ),
    finding(
      'details of another country: pack size',
      results,
      (product) =>
        packSizeFromList([{ value: product['pack_size_value'], units: product['pack_size_unit'] }])?.size === '100' &&
        packSizeFromTitle(name(product))?.size === '100',
      name,
    ),
    finding(
      'details of another country: gtin',
      results,
      (product) => normaliseGtin(product['gtin'])?.length === 14,
      name,
    ),
    finding(
      'details of another country: shelf id decodes to the names',
      results.filter((product) => typeof product['shelf_id'] === 'string'),
      (product) => decodeCategoryId(String(product['shelf_id']))?.at(-1) === product['shelf_name'],
      name,
    ),
  ];
}

function throws(act: () => unknown, kind: abstract new (...args: never[]) => Error): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof kind) return true;
    throw error;
  }
}
