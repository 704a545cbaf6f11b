import { z } from 'zod';
import { ContractBroken } from '../../base/errors.ts';
import { defineCategoryPage, type FoundList } from './category-page.ts';
import { readPageList } from './elements.ts';
import { enveloped, readBatch, readContract } from './envelope.ts';

const name = 'ie-category-page';

const Anything = z.unknown().optional();

/** The vendor documents `results` and `pageInformation` as nullable and untyped; both keys are required. */
const Answer = enveloped(
  z
    .object({ pageInformation: Anything, results: Anything, products: Anything })
    .refine((data) => data.results !== undefined || data.products !== undefined, {
      path: ['results'],
      error: 'missing',
    }),
);

/** One page of an Irish category. The list may have several shapes. */
export const ieCategoryPage = defineCategoryPage('ie', '/ireland-category-page', (_, body) => {
  const { data } = readContract(name, Answer, body);
  const found = findList(data.results ?? data.products ?? null, 'data.results');
  const list = readPageList(name, found.list, found.path).map(unwrapped);
  return { list, path: found.path, pageInformation: data.pageInformation ?? found.pageInformation };
});

/** Finds the list: plain, wrapped (`{results: […]}`), or either of them inside a batch (`[{data: {category: …}}]`). */
function findList(results: unknown, path: string): FoundList {
  if (results === null) return { list: [], path, pageInformation: null };
  if (Array.isArray(results))
    return isBatch(results) ? findInBatch(results, path) : { list: results, path, pageInformation: null };
  if (typeof results !== 'object')
    throw new ContractBroken(name, [`${path}: expected a list, received ${typeof results}`]);
  const wrapper = results as Record<string, unknown>;
  if ('errors' in wrapper || 'data' in wrapper) return findInBatch(wrapper, path);
  const list = wrapper['results'];
  const pageInformation = wrapper['pageInformation'] ?? wrapper['info'];
  if (list === null) return { list: [], path, pageInformation };
  if (!Array.isArray(list)) throw new ContractBroken(name, [`${path}.results: expected a list`]);
  return { list, path: `${path}.results`, pageInformation };
}

function isBatch(results: readonly unknown[]): boolean {
  const first = results[0];
  return typeof first === 'object' && first !== null && ('data' in first || 'errors' in first) && !('id' in first);
}

function findInBatch(results: unknown, path: string): FoundList {
  const answered = readBatch(name, results);
  const holder = typeof answered === 'object' && answered !== null ? Object.entries(answered) : [];
  const [field, answer] = holder.find(([, value]) => typeof value === 'object' && value !== null) ?? [];
  if (answer === undefined) throw new ContractBroken(name, [`${path}[].data: holds no list`]);
  return findList(answer, `${path}${Array.isArray(results) ? '[0]' : ''}.data.${field}`);
}

/** Extracts the product from `{node}` or `{product, promotions}`; promotions and sellers beside it are added to it. */
function unwrapped(element: unknown): unknown {
  if (typeof element !== 'object' || element === null || 'title' in element) return element;
  const { node, product, ...beside } = element as Record<string, unknown>;
  const inner = node === undefined ? product : node;
  if (inner === undefined) return element;
  if (typeof inner !== 'object' || inner === null) return inner;
  if (Object.keys(beside).length === 0) return inner;
  const { promotions } = inner as { promotions?: unknown };
  const isBare = promotions == null || (Array.isArray(promotions) && promotions.length === 0);
  return { ...beside, ...inner, promotions: isBare ? (beside['promotions'] ?? promotions) : promotions };
}
