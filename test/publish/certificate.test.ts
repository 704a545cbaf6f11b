import { describe, expect, test } from 'vitest';
import { type CategoryEvidence, judge, type RunEvidence, sampleSize } from '../../src/publish/certificate.ts';
import cases from './certificate.json' with { type: 'json' };

/** A row of certificate.json: code of a reason, and the evidence of run and category that gives it. */
type Case = [string, Partial<RunEvidence>, Partial<CategoryEvidence>];

const bounds = { tolerance: 0.001, maxDrop: 0.05 };

describe('the verdict on a run', () => {
  test('a run that saw what was declared is complete', () => {
    expect(judge(run({}), [category({})], bounds)).toEqual({
      verdict: 'complete',
      reasons: [],
      uncertain: [],
      isOnlyFallen: false,
    });
  });

  test('a run without requests for all pages is partial, and their products do not count as missing', () => {
    const cutShort = category({ declared: 100, seen: 100, usual: null, pagesFailed: 40, pagesUnrequested: 40 });
    expect(codesOf({ unseen: 900, products: 100 }, cutShort)).toEqual(['pages_unrequested']);
  });

  test('a run that saw more than was declared is complete', () => {
    expect(verdictOf({}, category({ seen: 1_100 }))).toBe('complete');
  });

  test('a run is complete within tolerance if the missing share of the whole night is', () => {
    const short = (missing: number) => [
      category({ seen: 1_001 - missing }),
      category({ categoryNo: 2, rootNo: 2, declared: 900, seen: 900, usual: 900 }),
    ];
    expect(judge(run({ products: 2_000 }), short(2), bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      uncertain: [1],
    });
    expect(judge(run({ products: 2_000 }), short(3), bounds).verdict).toBe('partial');
  });

  test('a run is certified if up to one percent of the elements could not be parsed', () => {
    const rejected = (count: number) => category({ seen: 1_000 - count, rejected: count });
    expect(judge(run({}), [rejected(10)], bounds)).toMatchObject({
      verdict: 'complete_within_tolerance',
      uncertain: [1],
    });
    expect(verdictOf({}, rejected(11))).toBe('partial');
  });

  test('a run that reaches a total with advertisements only is complete within tolerance', () => {
    expect(verdictOf({}, category({ seen: 990, sponsored: 12 }))).toBe('complete_within_tolerance');
    expect(verdictOf({}, category({ seen: 980, sponsored: 12 }))).toBe('partial');
  });

  test.each(cases.partial as Case[])('a run is partial because of %s', (code, found, known) => {
    const evidence = known.declared === 2_000 ? { ...found, products: 2_000, usual: 2_000 } : found;
    expect(verdictOf(evidence, category(known))).toBe('partial');
    expect(codesOf(evidence, category(known))).toEqual([code]);
  });

  test.each(cases.tolerable as Case[])('a run is complete within tolerance with %s', (code, found, known) => {
    expect(verdictOf(found, category(known))).toBe('complete_within_tolerance');
    expect(codesOf(found, category(known))).toEqual([code]);
  });

  test('a category whose loss its own pages confirm, or that lost few products, has not fallen', () => {
    for (const known of [{ asked: 3, gone: 3 }, { unseen: 10 }])
      expect(verdictOf({}, category({ usual: 1_600, unseen: 30, ...known }))).toBe('complete');
  });

  test('a run that saw fewer products than usual is measured by the nights since the last certified one', () => {
    expect(verdictOf({ usual: 1_060, nights: 4 })).toBe('complete');
  });

  test('a loss that own pages deny is not believed, however long it lasts', () => {
    const denied = category({ seen: 730, declared: 730, unseen: 270, asked: 53, forSale: 50, gone: 3 });
    const lasting = { products: 730, unseen: 270, answered: 53, forSale: 50, lasting: 270, usual: 730 };
    expect(verdictOf(lasting, denied)).toBe('partial');
  });

  test('a lasting loss is believed if own pages are neither for sale nor gone', () => {
    const uncertain = category({ seen: 730, declared: 730, unseen: 270, asked: 53 });
    const fallen = { products: 730, unseen: 270, usual: 730 };
    expect(verdictOf(fallen, uncertain)).toBe('partial');
    expect(verdictOf({ ...fallen, lasting: 270 }, uncertain)).toBe('complete_within_tolerance');
  });

  test('own pages are worth a request if losses are all that makes a run partial', () => {
    const fell = run({ unseen: 60 });
    expect(judge(fell, [category({})], bounds).isOnlyFallen).toBe(true);
    expect(judge({ ...fell, categories: 0 }, [category({})], bounds).isOnlyFallen).toBe(false);
  });

  test('a run is not downgraded because a few products disappeared from a small catalogue', () => {
    expect(verdictOf({ unseen: 10, listedBefore: 20, usual: 20, products: 10 })).toBe('complete');
    expect(verdictOf({ unseen: 11, listedBefore: 20, usual: 20, products: 9 })).toBe('partial');
  });
});

// The least n of which the hypergeometric chance to meet none of the 5% that remain is at most 5%.
test.each([
  [1, 1],
  [20, 19],
  [108, 42],
  [1_080, 57],
  [81_000, 59],
])('the sample of %d unseen products is %d', (population, asked) => {
  expect(sampleSize(population)).toBe(asked);
});

const codesOf = (found: Partial<RunEvidence>, known = category({})) =>
  judge(run(found), [known], bounds).reasons.map(({ code }) => code);

const verdictOf = (found: Partial<RunEvidence>, known = category({})) => judge(run(found), [known], bounds).verdict;

function run(found: Partial<RunEvidence>): RunEvidence {
  return {
    ...{ runId: 1, isFirst: false, categories: 10, unreadTops: 0, uncovered: 0, deferred: 0, products: 1_000 },
    ...{ homeless: 0, listedBefore: 1_000, nights: 1, unseen: 0, answered: 0, forSale: 0, lasting: 0, accepted: 0 },
    ...{ usual: 1_000, unseenElsewhere: 0, askedElsewhere: 0, forSaleElsewhere: 0, goneElsewhere: 0, pausedHours: 0 },
    ...{ rereads: 0, asks: 0 },
    ...found,
  };
}

function category(known: Partial<CategoryEvidence>): CategoryEvidence {
  return {
    ...{ runId: 1, categoryNo: 1, rootNo: 1, categoryId: 'Bakery', path: 'Bakery', isSample: false },
    ...{ isDescended: false, repairs: 0, isInTaxonomy: true, declaredFirst: 1_000, declared: 1_001, totals: 1 },
    ...{
      pagesPlanned: 42,
      pagesFailed: 0,
      pagesUnrequested: 0,
      pagesEnding: 0,
      received: 1_000,
      rejected: 0,
      seen: 1_001,
      sponsored: 0,
    },
    ...{ hidden: 0, misplaced: 0, unseen: 0, asked: 0, forSale: 0, gone: 0, usual: 1_001, isUncertain: false },
    ...known,
  };
}
