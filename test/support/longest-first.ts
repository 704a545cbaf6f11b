import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. Only the order: nothing goes wrong when it is no longer true. */
export const longest: readonly string[] = [
  'test/replay/mended.test.ts',
];

/** Starts with what takes longest, so that no long file runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return rank === -1 ? longest.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
