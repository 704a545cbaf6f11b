import { describe, expect, test } from 'vitest';
import type { FallEvidence } from '../../src/publish/quality/evidence/fall-evidence.ts';
import { usualProducts } from '../../src/publish/quality/evidence/usual.ts';
import { judgeFall } from '../../src/publish/quality/fall.ts';

describe('products that were listed and not seen', () => {
  test('are nothing out of the ordinary up to what may vanish in one night, or ten', () => {
    expect(judge({ unseen: 50 })).toBeNull();
    expect(judge({ listedBefore: 20, unseen: 10 })).toBeNull();
    expect(judge({ unseen: 51 })).not.toBeNull();
    expect(judge({ listedBefore: 20, unseen: 11 })).not.toBeNull();
  });

  test('may be more, the longer ago the last certified night is, and the certificate says so', () => {
    expect(judge({ unseen: 150, nightsSinceCertified: 9 })).toEqual({
      outcome: 'tolerated',
      isBelieved: true,
      sentence: '150 of 1000 listed products were not seen (150 are tolerated 9 nights after the last certified one)',
    });
    expect(judge({ unseen: 151, nightsSinceCertified: 9 })).toMatchObject({ outcome: 'unproven', isBelieved: false });
  });

  test('are believed to be gone when all of a sample are', () => {
    expect(judge({ sample: { needed: 53, answered: 53, failed: 0, stillThere: 0 } })).toEqual({
      outcome: 'gone',
      isBelieved: true,
      sentence:
        '270 of 1000 listed products were not seen (50 are tolerated 1 night after the last certified one): all 53 asked after, ' +
        'chosen at random, are gone by their own pages, so fewer than 5 % are still there (95 % confidence)',
    });
  });

  test('are not believed to be gone when one of a sample is still there', () => {
    expect(judge({ sample: { needed: 53, answered: 53, failed: 0, stillThere: 1 } })).toEqual({
      outcome: 'still_there',
      isBelieved: false,
      sentence:
        '270 of 1000 listed products were not seen (50 are tolerated 1 night after the last certified one): 1 of 53 asked after are still for sale',
    });
  });

  test('are not believed to be gone when too few of a sample answered', () => {
    expect(judge({ sample: { needed: 53, answered: 52, failed: 1, stillThere: 0 } })).toEqual({
      outcome: 'unproven',
      isBelieved: false,
      sentence:
        '270 of 1000 listed products were not seen (50 are tolerated 1 night after the last certified one): 52 of the 53 to ask after answered, too few to be sure',
    });
  });

  describe('and that the night before did not see either', () => {
    const nightBefore = { snapshotDate: '2026-03-02', agreement: 0.98, isCopy: false };

    test('are believed to be gone when nobody can be asked', () => {
      expect(judge({ nightBefore })).toEqual({
        outcome: 'agreed',
        isBelieved: true,
        sentence:
          '270 of 1000 listed products were not seen (50 are tolerated 1 night after the last certified one): 0 of the 53 to ask after answered, ' +
          'but the night of 2026-03-02 saw the same (98 % of what it or this night missed, both missed)',
      });
    });

    test('are not, when a tenth of what either missed was seen by the other', () => {
      expect(judge({ nightBefore: { ...nightBefore, agreement: 0.89 } })).toMatchObject({ outcome: 'unproven' });
    });

    test('are not, when its pages are the same to the byte: that is no second look', () => {
      expect(judge({ nightBefore: { ...nightBefore, isCopy: true } })).toMatchObject({
        outcome: 'unproven',
        sentence: expect.stringMatching(/all pages are those of 2026-03-02 to the byte$/),
      });
    });

    test('are not, when one of them is still there: their own pages count more', () => {
      const sample = { needed: 53, answered: 3, failed: 50, stillThere: 1 };
      expect(judge({ nightBefore, sample })).toMatchObject({ outcome: 'still_there', isBelieved: false });
      expect(judge({ nightBefore, unseenForSale: 1 })).toMatchObject({ outcome: 'unproven', isBelieved: false });
    });
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

function judge(found: Partial<FallEvidence>) {
  return judgeFall(
    {
      listedBefore: 1_000,
      unseen: 270,
      nightsSinceCertified: 1,
      sample: { needed: 53, answered: 0, failed: 0, stillThere: 0 },
      unseenForSale: 0,
      nightBefore: null,
      ...found,
    },
    0.05,
  );
}
