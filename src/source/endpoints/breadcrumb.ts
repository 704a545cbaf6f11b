import { categoryIdsOfPath, isKeepableCategoryId } from '../normalise/category-id.ts';
import { storableText } from '../normalise/text.ts';

/**
 * Category ids of a product's path, root first: from `categoryBreadcrumbs` (`[{id, name, level}]`), or from names and
 * ids of `superDepartment`, `department`, `aisle` and `shelf`. Missing ids are computed from the names above.
 */
export function readBreadcrumb(product: Readonly<Record<string, unknown>>): readonly string[] {
  const crumbs = product['categoryBreadcrumbs'];
  if (Array.isArray(crumbs) && crumbs.length > 0) return idsOf(inOrder(crumbs.slice(0, deepest).map(crumbOf)));
  if (typeof product['superDepartmentName'] !== 'string') return none;
  const levels: Crumb[] = [];
  for (const level of ['superDepartment', 'department', 'aisle', 'shelf'] as const) {
    const crumb = crumbOf({ id: product[`${level}Id`], name: product[`${level}Name`] });
    if (crumb.id === null && crumb.name === null) break;
    levels.push(crumb);
  }
  return idsOf(levels);
}

interface Crumb {
  readonly id: string | null;
  readonly name: string | null;
  readonly level: number;
}

/** Real paths have four levels. Limited, because each id contains the names of all levels above it. */
const deepest = 16;

const none: readonly string[] = Object.freeze([]);

function crumbOf(value: unknown): Crumb {
  const { id, name, level } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return {
    id: typeof id === 'string' && isKeepableCategoryId(id) ? id : null,
    name: typeof name === 'string' && name !== '' && storableText(name) === name ? name : null,
    level: typeof level === 'number' ? level : 0,
  };
}

function inOrder(crumbs: Crumb[]): readonly Crumb[] {
  const isOrdered = crumbs.every((crumb, index) => index === 0 || (crumbs[index - 1]?.level ?? 0) <= crumb.level);
  return isOrdered ? crumbs : crumbs.sort((one, other) => one.level - other.level);
}

/** Ids up to the first level without id and name; the path below it is unknown. */
function idsOf(crumbs: readonly Crumb[]): readonly string[] {
  if (crumbs.every((crumb) => crumb.id !== null)) return crumbs.map((crumb) => crumb.id ?? '');
  const names = crumbs.map((crumb) => crumb.name);
  const gap = names.indexOf(null);
  const computed = categoryIdsOfPath((gap < 0 ? names : names.slice(0, gap)) as readonly string[]);
  const ids: string[] = [];
  for (const [index, crumb] of crumbs.entries()) {
    const id = crumb.id ?? computed[index];
    if (id === undefined || !isKeepableCategoryId(id)) break;
    ids.push(id);
  }
  return ids;
}
