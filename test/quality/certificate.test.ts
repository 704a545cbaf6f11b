import { describe, expect, test } from 'vitest';
import { judge } from '../../src/publish/quality/certificate.ts';
import type { CategoryEvidence } from '../../src/publish/quality/evidence/category-evidence.ts';
import type { LostMembersEvidence, RunEvidence } from '../../src/publish/quality/evidence/run-evidence.ts';
import { usualProducts } from '../../src/publish/quality/evidence/usual.ts';

const bounds = { tolerance: 0.001, maxDrop: 0.05 };

describe('the verdict on a run', () => {
  test('a run that saw what was declared is complete', () => {
    expect(judge(evidence({}), bounds)).toEqual({ verdict: 'complete', reasons: [], uncertain: [], fall: null });
  });

  test('a run that deferred categories is partial, and their products do not count as missing', () => {
    const deferred = [{ path: 'Toys', lastReadOn: '2026-03-02', isLookedAt: false }];
    expect(
      judge(evidence({ deferred, unseen: 900, distinctProducts: 100, usualProducts: 1_000 }), bounds),
    ).toMatchObject({ verdict: 'partial', fall: null });
  });

  test('a run that saw more than was declared is complete', () => {
    expect(verdictOf({ categories: [category({ distinctSeen: 1_100 })] })).toBe('complete');
  });

  test('a run is complete within tolerance if the missing share of the whole night is', () => {
    const short = (missing: number) => ({
      categories: [category({ distinctSeen: 1_000 - missing }), category({ path: 'Drinks' })],
    });
    expect(judge(evidence({ ...short(2), distinctProducts: 2_000 }), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      uncertain: [{ path: 'Bakery' }],
    });
    expect(verdictOf({ ...short(3), distinctProducts: 2_000 })).toBe('partial');
  });

  test('a run is certified if up to one percent of the elements could not be parsed', () => {
    const rejected = (count: number) => ({
      categories: [category({ distinctSeen: 1_000 - count, rejected: count })],
      rejected: count,
      itemsReceived: 1_000,
    });
    expect(judge(evidence(rejected(10)), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      uncertain: [{ path: 'Bakery' }],
    });
    expect(verdictOf(rejected(11))).toBe('partial');
  });

  test('a run that reaches a total with advertisements only is complete within tolerance', () => {
    expect(judge(evidence({ categories: [category({ distinctSeen: 990, sponsored: 12 })] }), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
    });
    expect(verdictOf({ categories: [category({ distinctSeen: 980, sponsored: 12 })] })).toBe('partial');
  });

  test.each<[string, Partial<RunEvidence>]>([
    ['the taxonomy is empty', { categoriesInTaxonomy: 0 }],
    ['reading paused into another night', { longPause: { hours: 23, until: '2026-03-02' } }],
    ['a leaf could not be asked for', { uncoveredLeaves: ['Toys'] }],
    ['a total looks like a limit of the listing', { cappedCategories: ['Toys'] }],
    ['a page could not be read', { categories: [category({ pagesDone: 41, pagesFailed: 1 })] }],
    ['a page was not asked for', { categories: [category({ pagesDone: 41 })] }],
    ['a category without a total has no empty page', { categories: [category({ declaredLast: null })] }],
    ['a fall is not proved', { unseen: 60, sample: { needed: 46, answered: 0, failed: 0, stillThere: 0 } }],
    ['fewer products than usual were seen', { usualProducts: 1_060 }],
    ['a category’s products were seen in others only', { misplaced: [{ path: 'Bakery', products: 11 }] }],
    ['products of a first night belong to unknown categories', { inUnlistedCategories: 3, usualProducts: null }],
    ['products that were not listed are for sale', unseenBelow({ products: 30, asked: 3, forSale: 2, unclear: 0 })],
    ['products that were not listed may be there', unseenBelow({ products: 30, asked: 3, forSale: 0, unclear: 1 })],
    [
      'a category beside the taxonomy was not walked',
      { categoriesNotInTaxonomy: [category({ path: 'Toys', isSample: true, distinctSeen: 7 })] },
    ],
  ])('a run is partial because %s', (_, found) => {
    const { verdict, reasons } = judge(evidence(found), bounds);
    expect([verdict, reasons.length]).toEqual(['partial', 1]);
  });

  test.each<[string, Partial<RunEvidence>]>([
    ['a category without a total', { categories: [category({ declaredLast: null, pagesEmpty: 1 })] }],
    ['a few products in other categories only', { misplaced: [{ path: 'Bakery', products: 5 }] }],
    ['a loss on a cut-off listing', { lostMembers: [lostMembers({ lost: 1, joined: 1, isCutOff: true })] }],
    ['one product that may be there', unseenBelow({ products: 1, asked: 1, forSale: 0, unclear: 1 })],
    ['a walked category beside the taxonomy', { categoriesNotInTaxonomy: [category({ distinctSeen: 7 })] }],
    ['a loss to other categories', { lostMembers: [lostMembers({})] }],
  ])('a run is complete within tolerance with %s', (_, found) => {
    const { verdict, reasons } = judge(evidence(found), bounds);
    expect([verdict, reasons.length]).toEqual(['complete_within_tolerance', 1]);
  });

  test.each<[string, Partial<LostMembersEvidence>]>([
    ['is believed by the second night that agrees', { fallBefore: 58 }],
    ['is nothing out of the ordinary when as many came', { joined: 57 }],
    ['is nothing out of the ordinary in a large one', { seen: 2_000 }],
  ])('a category that lost products to others %s', (_, loss) => {
    expect(judge(evidence({ lostMembers: [lostMembers(loss)] }), bounds)).toMatchObject({
      verdict: 'complete',
      uncertain: [],
    });
  });

  test('a run reports nothing as gone from a category that lost products to others', () => {
    const { uncertain } = judge(evidence({ lostMembers: [lostMembers({})] }), bounds);
    expect(uncertain.map(({ path }) => path)).toEqual(['Bakery']);
  });

  test('a run that saw fewer products than usual is measured by the nights since the last certified one', () => {
    expect(verdictOf({ usualProducts: 1_060, nightsSinceCertified: 4 })).toBe('complete');
  });

  test('a confirmed fall is the reason why a run saw fewer products than usual', () => {
    const fell = {
      distinctProducts: 730,
      unseen: 270,
      sample: { needed: 53, answered: 53, failed: 0, stillThere: 0 },
      categories: [category({ declaredLast: 730, distinctSeen: 730 })],
    };
    expect(judge(evidence(fell), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      fall: { outcome: 'gone', isAlone: true },
    });
    expect(judge(evidence({ ...fell, categoriesInTaxonomy: 0 }), bounds)).toMatchObject({
      verdict: 'partial',
      fall: { outcome: 'gone', isAlone: false },
    });
  });

  test('a run is not downgraded because a few products disappeared from a small catalogue', () => {
    expect(verdictOf({ unseen: 10, listedBefore: 20 })).toBe('complete');
    const sample = { needed: 11, answered: 0, failed: 0, stillThere: 0 };
    expect(verdictOf({ unseen: 11, listedBefore: 20, sample })).toBe('partial');
  });
});

describe('what certified nights usually see', () => {
  test.each<[string, number[], number | null]>([
    ['is unknown before the first', [], null],
    ['is their median', [1_010, 1_000, 1_020], 1_010],
    ['is between the two in the middle of an even number', [1_010, 1_000, 1_020, 1_005], 1_008],
    ['is measured from a fall on that was believed', [735, 730, 1_000, 1_010, 990], 733],
    ['is what the fall left on the night after it', [730, 1_000, 1_010, 990], 730],
    ['goes on through nights that lost little each', [960, 980, 1_000], 980],
    ['goes on through nights that gained much', [1_400, 1_000, 1_010], 1_010],
  ])('%s', (_, seen, usual) => {
    expect(usualProducts(seen)).toBe(usual);
  });
});

function unseenBelow(group: Omit<RunEvidence['unseenBelow'][number], 'path'>): Partial<RunEvidence> {
  return { unseenBelow: [{ path: 'Bakery', ...group }], unseen: group.products };
}

function verdictOf(found: Partial<RunEvidence>): string {
  return judge(evidence(found), bounds).verdict;
}

function evidence(found: Partial<RunEvidence>): RunEvidence {
  return {
    categoriesInTaxonomy: 10,
    unreadCategories: 0,
    uncoveredLeaves: [],
    deferred: [],
    cappedCategories: [],
    categoriesNotInTaxonomy: [],
    inUnlistedCategories: 0,
    distinctProducts: 1_000,
    usualProducts: 1_000,
    listedBefore: 1_000,
    unseen: 0,
    nightsSinceCertified: 1,
    sample: { needed: 0, answered: 0, failed: 0, stillThere: 0 },
    unseenForSale: 0,
    nightBefore: null,
    unseenBelow: [],
    misplaced: [],
    lostMembers: [],
    itemsReceived: 1_000,
    rejected: 0,
    longPause: null,
    children: { chosen: 0, unread: 0 },
    repeating: [],
    isTroubled: false,
    requests: { pages: 42, rereads: 0, samples: 0, asks: 0, allowance: 150 },
    categories: [category({})],
    ...found,
  };
}

function lostMembers(known: Partial<LostMembersEvidence>): LostMembersEvidence {
  return {
    categoryId: 'Bakery',
    path: 'Bakery',
    lost: 60,
    joined: 0,
    seen: 940,
    isCutOff: false,
    fallBefore: 0,
    ...known,
  };
}

function category(known: Partial<CategoryEvidence>): CategoryEvidence {
  const path = known.path ?? 'Bakery';
  return {
    categoryNo: 1,
    categoryId: path,
    rootNo: 1,
    parentNo: null,
    path,
    isSample: false,
    isDescended: false,
    declaredFirst: 1_000,
    declaredLast: 1_000,
    totals: [1_000],
    pageSize: 24,
    pagesPlanned: 42,
    pagesDone: 42,
    pagesFailed: 0,
    pagesEmpty: 0,
    rereads: 0,
    repairs: 0,
    itemsReceived: 1_000,
    rejected: 0,
    distinctSeen: 1_000,
    sponsored: 0,
    duplicates: 0,
    onlyHere: 0,
    ...known,
  };
}
