import { describe, expect, test } from 'vitest';
import { planRepairs, type RepairNeeds, type WalkedCategory } from '../../src/crawl/plan/repair.ts';

const taxonomy = [
  { categoryNo: 1, categoryId: 'top', parentNo: null },
  { categoryNo: 2, categoryId: 'left', parentNo: 1 },
  { categoryNo: 3, categoryId: 'right', parentNo: 1 },
  { categoryNo: 4, categoryId: 'deep', parentNo: 2 },
  { categoryNo: 5, categoryId: 'x'.repeat(30), parentNo: 1 },
  { categoryNo: 9, categoryId: 'alone', parentNo: null },
];

describe('repairs', () => {
  test('a category that lists as many products as it declares needs no repair', () => {
    expect(plan([category({})])).toEqual([]);
  });

  test('repairs begin with the pages in doubt, and only then read the children that can be requested', () => {
    const short = { distinctSeen: 40 };
    expect(plan([category(short)], { doubtfulPages: new Map([[1, [2, 3]]]) })).toEqual([
      { kind: 'reread', categoryNo: 1, pages: [2, 3] },
    ]);
    const walk = { kind: 'descend', categoryNo: 1, rootNo: 1, children: taxonomy.slice(1, 3) };
    expect(plan([category({ ...short, repairs: 2 })], { doubtfulPages: new Map([[1, [2, 3]]]) })).toEqual([walk]);
    expect(plan([category(short)])).toEqual([walk]);
  });

  test('repairs repeat no page beyond the allowance, and read children all the same', () => {
    const doubtfulPages = new Map([
      [1, [1, 2, 3]],
      [9, [1, 2]],
    ]);
    const moved = [category({ distinctSeen: 40 }), category({ categoryNo: 9, rootNo: 9, distinctSeen: 40 })];
    expect(plan(moved, { doubtfulPages, allowance: 4 })).toEqual([
      { kind: 'reread', categoryNo: 1, pages: [1, 2, 3] },
      { kind: 'reread', categoryNo: 9, pages: [1] },
    ]);
    expect(plan(moved, { doubtfulPages, allowance: 0 }).map(({ kind }) => kind)).toEqual(['descend']);
  });

  test('repairs do not repeat quarantined elements, nor search for what may be missing', () => {
    expect(plan([category({ distinctSeen: 48, rejected: 2 })])).toEqual([]);
    expect(plan([category({ distinctSeen: 49 })], { tolerance: 0.05 })).toEqual([]);
  });

  test('repairs read the children at once if paging ends early, or if the total looks like a limit', () => {
    const doubtfulPages = new Map([[1, [3]]]);
    expect(plan([category({ distinctSeen: 40, pagesEmpty: 1 })], { doubtfulPages })[0]!.kind).toBe('descend');
    expect(plan([category({ declaredLast: 1_000, distinctSeen: 1_000 })])[0]!.kind).toBe('descend');
    expect(plan([category({ declaredLast: 1_000, distinctSeen: 1_000, isDescended: true })])).toEqual([]);
  });

  test('repairs read all children of a category that one of them proved incomplete', () => {
    const sample = category({ categoryNo: 2, isSample: true, distinctSeen: 24, declaredLast: 30, onlyHere: 1 });
    expect(plan([category({}), sample])).toEqual([
      { kind: 'descend', categoryNo: 1, rootNo: 1, children: taxonomy.slice(1, 3) },
    ]);
    expect(plan([category({}), { ...sample, onlyHere: 0 }])).toEqual([]);
    // One level deeper: the level above was already read and was the one that fell short.
    const deep = category({ categoryNo: 4, isSample: true, onlyHere: 1 });
    expect(plan([category({ isDescended: true }), category({ categoryNo: 2 }), deep])).toEqual([
      { kind: 'descend', categoryNo: 2, rootNo: 1, children: [taxonomy[3]] },
    ]);
  });

  test('repairs request the first pages of children whose products were seen elsewhere only, each once', () => {
    const seen = category({ categoryNo: 2, isSample: true });
    expect(plan([category({}), seen], { shortByBreadcrumb: new Set([1]) })).toEqual([
      { kind: 'sample', categoryNo: 1, rootNo: 1, children: [taxonomy[2]] },
    ]);
  });

  test('repairs read the child that leads to an unlisted product that is for sale, one per category', () => {
    expect(plan([category({})], { forSaleIn: ['deep', 'right'] })).toEqual([
      { kind: 'walk', categoryNo: 1, rootNo: 1, children: [taxonomy[1]] },
    ]);
    expect(plan([category({ isDescended: true })], { forSaleIn: ['deep'] })).toEqual([]);
    expect(plan([category({}), category({ categoryNo: 2 })], { forSaleIn: ['deep'] })).toEqual([]);
    expect(plan([category({})], { forSaleIn: ['alone', 'unknown'] })).toEqual([]);
  });

  test('repairs read all children at once if the first one showed no such product', () => {
    const forSaleIn = ['deep', 'right', 'wider', 'alone'];
    const wider = { categoryNo: 6, categoryId: 'wider', parentNo: 1 };
    const walked = [category({}), category({ categoryNo: 2 })];
    expect(plan(walked, { forSaleIn, taxonomy: [...taxonomy, wider] })).toEqual([
      { kind: 'walk', categoryNo: 1, rootNo: 1, children: [taxonomy[2], wider] },
    ]);
  });

  test('repairs read a department without children once more if an unlisted product is for sale', () => {
    const alone = taxonomy.find(({ categoryId }) => categoryId === 'alone')!;
    const department = { categoryNo: alone.categoryNo, rootNo: alone.categoryNo };
    const forSaleIn = ['alone'];
    expect(plan([category(department)], { forSaleIn })).toEqual([
      { kind: 'reread', categoryNo: alone.categoryNo, pages: [1, 2, 3] },
    ]);
    expect(plan([category(department)], { forSaleIn, allowance: 2 })).toEqual([
      { kind: 'reread', categoryNo: alone.categoryNo, pages: [1, 2] },
    ]);
    expect(plan([category({ ...department, repairs: 1 })], { forSaleIn })).toEqual([]);
  });
});

function category(known: Partial<WalkedCategory>): WalkedCategory {
  return {
    categoryNo: 1,
    rootNo: 1,
    isSample: false,
    isDescended: false,
    declaredLast: 50,
    distinctSeen: 50,
    rejected: 0,
    pagesPlanned: 3,
    pagesFailed: 0,
    pagesEmpty: 0,
    repairs: 0,
    onlyHere: 0,
    ...known,
  };
}

function plan(categories: readonly WalkedCategory[], needs: Partial<RepairNeeds> = {}) {
  return planRepairs({
    categories,
    taxonomy,
    doubtfulPages: new Map(),
    shortByBreadcrumb: new Set(),
    forSaleIn: [],
    maxIdLength: 20,
    tolerance: 0.001,
    allowance: 100,
    ...needs,
  });
}
