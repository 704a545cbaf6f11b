import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CategoryNode } from '../../src/base/model/index.ts';
import { planFrontier } from '../../src/crawl/plan/frontier.ts';

const longest = 12;

/** A random tree: parents come before their children, ids have any length around the limit. */
const trees = fc
  .array(fc.record({ parent: fc.nat(), pad: fc.integer({ min: 0, max: 14 }) }), { maxLength: 40 })
  .map((shapes): CategoryNode[] =>
    shapes.map(({ parent, pad }, index) => {
      const parentNo = index === 0 ? -1 : (parent % (index + 1)) - 1;
      return {
        categoryId: `${index}`.padEnd(pad, 'x'),
        parentId: parentNo < 0 ? null : `${parentNo}`.padEnd(shapes[parentNo]!.pad, 'x'),
        name: `node ${index}`,
        label: 'category',
        depth: 0,
      };
    }),
  );

describe('the frontier', () => {
  test('the frontier covers every leaf once with ids that can be requested, or reports that it cannot', () => {
    fc.assert(
      fc.property(trees, (nodes) => {
        const { toRead, uncovered } = planFrontier(nodes, { maxIdLength: longest });
        const byId = new Map(nodes.map((node) => [node.categoryId, node]));
        const parents = new Set(nodes.map(({ parentId }) => parentId));
        const walked = new Set(toRead.map(({ categoryId }) => categoryId));
        expect(toRead.every(({ categoryId }) => categoryId.length <= longest)).toBe(true);
        for (const leaf of nodes.filter(({ categoryId }) => !parents.has(categoryId))) {
          let covers = uncovered.includes(leaf) ? 1 : 0;
          for (
            let at: CategoryNode | undefined = leaf;
            at;
            at = at.parentId === null ? undefined : byId.get(at.parentId)
          ) {
            if (walked.has(at.categoryId)) covers += 1;
          }
          expect(covers).toBe(1);
        }
      }),
    );
  });

  test('the frontier contains the children of a category that is too large, if all of them can be requested', () => {
    const node = (categoryId: string, parentId: string | null): CategoryNode => ({
      categoryId,
      parentId,
      name: categoryId,
      label: 'category',
      depth: 0,
    });
    const nodes = [
      ...[node('food', null), node('fruit', 'food'), node('meat', 'food'), node('beef', 'meat')],
      ...[node('home', null), node('pans and other things', 'home'), node('leaf', null)],
    ];
    const walkOf = (...tooLarge: string[]) =>
      planFrontier(nodes, { maxIdLength: longest, tooLarge: new Set(tooLarge) }).toRead.map((each) => each.categoryId);
    expect(walkOf('food')).toEqual(['fruit', 'meat', 'home', 'leaf']);
    expect(walkOf('food', 'meat')).toEqual(['fruit', 'beef', 'home', 'leaf']);
    expect(walkOf('home', 'leaf')).toEqual(['food', 'home', 'leaf']);
  });
});
