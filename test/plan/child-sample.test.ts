import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overlookedChildren, type ShownChild, sampleChildren } from '../../src/crawl/plan/child-sample.ts';
import { sampleSize } from '../../src/crawl/plan/sample-size.ts';

const children = fc
  .array(
    fc.record({
      rootNo: fc.integer({ min: 1, max: 9 }),
      shown: fc.nat(30),
      isLast: fc.boolean(),
      isDoubted: fc.boolean(),
    }),
    { maxLength: 200 },
  )
  .map((drawn) => drawn.map((child, i): ShownChild => ({ ...child, categoryNo: 10 + i, categoryId: `c${i}` })));
const rank = (seed: number) => (id: string) => createHash('md5').update(`${seed}/${id}`).digest('hex');

describe('the children that a first night samples', () => {
  test('all children are sampled that are shown nowhere, whose parent is in doubt, or at which a parent ends', () => {
    fc.assert(
      fc.property(children, fc.nat(), (all, seed) => {
        const chosen = sampleChildren(all, rank(seed));
        for (const child of all)
          if (child.shown === 0 || child.isLast || child.isDoubted) expect(chosen).toContain(child);
        expect(new Set(chosen).size).toBe(chosen.length);
      }),
    );
  });

  test('the sample of the other children would hardly miss an eighth listed short, and is the same each time', () => {
    fc.assert(
      fc.property(children, fc.nat(), (all, seed) => {
        const chosen = sampleChildren(all, rank(seed));
        const isByChance = ({ shown, isLast, isDoubted }: ShownChild) => shown > 0 && !isLast && !isDoubted;
        const others = all.filter(isByChance).length;
        expect(chosen.filter(isByChance)).toHaveLength(sampleSize(others, overlookedChildren));
        expect(
          sampleChildren([...all].reverse(), rank(seed))
            .map(({ categoryNo }) => categoryNo)
            .sort(),
        ).toEqual(chosen.map(({ categoryNo }) => categoryNo).sort());
      }),
    );
  });
});
