import { describe, expect, test } from 'vitest';
import { judge } from '../../src/publish/quality/certificate.ts';
import type { CategoryEvidence } from '../../src/publish/quality/evidence/category-evidence.ts';
import type { LostMembersEvidence, RunEvidence } from '../../src/publish/quality/evidence/run-evidence.ts';

const bounds = { tolerance: 0.001, maxDrop: 0.05 };

describe('a run', () => {
  test('that saw what was declared is complete', () => {
    expect(judge(evidence({}), bounds)).toEqual({ verdict: 'complete', reasons: [], uncertain: [], fall: null });
  });

  test('on which categories took turns is partial and says which waited; what they list is not missed', () => {
    const deferred = [
      { path: 'Drinks', lastReadOn: null },
      { path: 'Toys', lastReadOn: '2026-03-02' },
      { path: 'Pets', lastReadOn: null, isLookedAt: true },
    ];
    expect(
      judge(evidence({ deferred, unseen: 900, distinctProducts: 100, usualProducts: 1_000 }), bounds),
    ).toMatchObject({
      verdict: 'partial',
      reasons: [
        'the limits did not reach for all pages: 3 of 4 categories were left for another night, and nothing of what they list is said to be gone',
        'Drinks: not asked tonight, never read so far',
        'Toys: not asked tonight, last read on 2026-03-02',
        'Pets: only its first page was asked for tonight, never read so far',
      ],
      fall: null,
    });
  });

  test('that saw more than was declared is complete, too', () => {
    expect(verdictOf({ categories: [category({ distinctSeen: 1_100 })] })).toBe('complete');
  });

  test('is complete within tolerance as long as what is missing is no more than the tolerance, of the whole night', () => {
    const short = (missing: number) => ({
      categories: [category({ distinctSeen: 1_000 - missing }), category({ path: 'Drinks' })],
    });
    expect(judge(evidence({ ...short(2), distinctProducts: 2_000 }), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      reasons: ['Bakery: 998 of 1000 declared products seen'],
      uncertain: [{ path: 'Bakery' }],
    });
    expect(verdictOf({ ...short(3), distinctProducts: 2_000 })).toBe('partial');
  });

  test('in which elements could not be understood is certified up to one in a hundred', () => {
    const rejected = (count: number) => ({
      categories: [category({ distinctSeen: 1_000 - count, rejected: count })],
      rejected: count,
      itemsReceived: 1_000,
    });
    expect(judge(evidence(rejected(10)), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      reasons: ['Bakery: 990 of 1000 declared products seen, 10 in quarantine'],
      uncertain: [{ path: 'Bakery' }],
    });
    expect(verdictOf(rejected(11))).toBe('partial');
  });

  test('that reaches a total with advertisements only is complete within tolerance', () => {
    expect(judge(evidence({ categories: [category({ distinctSeen: 990, sponsored: 12 })] }), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      reasons: ['Bakery: 990 of 1000 declared products seen, and 12 among advertisements'],
    });
    expect(verdictOf({ categories: [category({ distinctSeen: 980, sponsored: 12 })] })).toBe('partial');
  });

  test.each<[string, Partial<RunEvidence>]>([
    ['the taxonomy came back empty', { categoriesInTaxonomy: 0 }],
    [
      'nothing was read for 23 hours, until 2026-03-02: what was read then is of another night',
      { longPause: { hours: 23, until: '2026-03-02' } },
    ],
    ['Toys: cannot be asked for, its id is too long', { uncoveredLeaves: ['Toys'] }],
    ['Toys: its total looks like a limit of the listing', { cappedCategories: ['Toys'] }],
    ['Bakery: 1 of 42 pages could not be read', { categories: [category({ pagesDone: 41, pagesFailed: 1 })] }],
    ['Bakery: 2 of 42 pages were not asked for', { categories: [category({ pagesDone: 40 })] }],
    ['Bakery: declares no total and no page came back empty', { categories: [category({ declaredLast: null })] }],
    [
      '60 of 1000 listed products were not seen (50 are tolerated 1 night after the last certified one): 0 of the 46 to ask after answered, too few to be sure',
      { unseen: 60, sample: { needed: 46, answered: 0, failed: 0, stillThere: 0 } },
    ],
    ['1000 products seen, 1060 are usual', { usualProducts: 1_060 }],
    [
      'Bakery: 11 of its products were seen in other categories only',
      { misplaced: [{ path: 'Bakery', products: 11 }] },
    ],
    [
      '3 products belong to categories that the taxonomy does not name and that list nothing',
      { inUnlistedCategories: 3, usualProducts: null },
    ],
    [
      'Bakery: 2 of 3 products asked after are for sale though not listed, of 30 not seen',
      { unseenBelow: [{ path: 'Bakery', products: 30, asked: 3, forSale: 2, unclear: 0 }], unseen: 30 },
    ],
    [
      'Bakery: 1 of 3 products asked after are neither for sale nor gone by their own pages, of 30 not seen; they stay as they were until another night agrees',
      { unseenBelow: [{ path: 'Bakery', products: 30, asked: 3, forSale: 0, unclear: 1 }], unseen: 30 },
    ],
    [
      'Toys: not in the taxonomy, yet it lists 7 products, too many to walk',
      { categoriesNotInTaxonomy: [category({ path: 'Toys', isSample: true, distinctSeen: 7 })] },
    ],
  ])('is partial because: %s', (reason, found) => {
    expect(judge(evidence(found), bounds)).toMatchObject({ verdict: 'partial', reasons: [reason] });
  });

  test.each<[string, Partial<RunEvidence>]>([
    [
      'Bakery: declares no total; 1000 products read to an empty page',
      { categories: [category({ declaredLast: null, pagesEmpty: 1 })] },
    ],
    ['Bakery: 5 of its products were seen in other categories only', { misplaced: [{ path: 'Bakery', products: 5 }] }],
    [
      'Bakery: 1 products that it listed are shown by others only; they stay in it until another night agrees',
      { lostMembers: [lostMembers({ lost: 1, joined: 1, isCutOff: true })] },
    ],
    [
      'Bakery: 1 of 1 products asked after are neither for sale nor gone by their own pages, of 1 not seen; they stay as they were until another night agrees',
      { unseenBelow: [{ path: 'Bakery', products: 1, asked: 1, forSale: 0, unclear: 1 }], unseen: 1 },
    ],
    [
      'Toys: not in the taxonomy, yet it lists 7 products',
      { categoriesNotInTaxonomy: [category({ path: 'Toys', distinctSeen: 7 })] },
    ],
    [
      'Bakery: 60 products that it listed are shown by others only; they stay in it until another night agrees',
      { lostMembers: [lostMembers({})] },
    ],
  ])('is complete within tolerance because: %s', (reason, found) => {
    expect(judge(evidence(found), bounds)).toMatchObject({ verdict: 'complete_within_tolerance', reasons: [reason] });
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

  test('says nothing of what is gone from a category that lost products to others', () => {
    const { uncertain } = judge(evidence({ lostMembers: [lostMembers({})] }), bounds);
    expect(uncertain.map(({ path }) => path)).toEqual(['Bakery']);
  });

  test('that saw fewer products than usual is measured by the nights since the last certified one', () => {
    expect(verdictOf({ usualProducts: 1_060, nightsSinceCertified: 4 })).toBe('complete');
  });

  test('whose fall is believed saw fewer products than usual for that reason', () => {
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

  test('is not thought worse of because a handful vanished from a small catalogue', () => {
    expect(verdictOf({ unseen: 10, listedBefore: 20 })).toBe('complete');
    const sample = { needed: 11, answered: 0, failed: 0, stillThere: 0 };
    expect(verdictOf({ unseen: 11, listedBefore: 20, sample })).toBe('partial');
  });
});

function verdictOf(found: Partial<RunEvidence>): string {
  return judge(evidence(found), bounds).verdict;
}

function evidence(found: Partial<RunEvidence>): RunEvidence {
  return {
    categoriesInTaxonomy: 10,
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
    pagesOversized: 0,
    rereads: 0,
    repairs: 0,
    itemsReceived: 1_000,
    rejected: 0,
    distinctSeen: 1_000,
    distinctOwn: 1_000,
    sponsored: 0,
    duplicates: 0,
    foreign: 0,
    onlyHere: 0,
    ...known,
  };
}
