import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. When that is no longer true only time is lost. */
export const longest: readonly string[] = [
  'test/chaos/chaos.test.ts',
  'test/explorer/every-page.browser.test.ts',
  'test/corridor/resume.test.ts',
  'test/replay/mended.test.ts',
  'test/trust/fall.test.ts',
  'test/replay/folding-at-any-moment.test.ts',
  'test/cli/package.test.ts',
  'test/replay/folded.test.ts',
  'test/trust/delisting.test.ts',
  'test/replay/at-the-same-moment.test.ts',
  'test/trust/injections.test.ts',
  'test/cli/played-nights.test.ts',
  'test/trust/incremental-copy.test.ts',
  'test/cli/monitoring.test.ts',
  'test/db/embedded/crash.test.ts',
  'test/ledger/fold.test.ts',
  'test/corridor/other-upstream.test.ts',
  'test/trust/checks.test.ts',
  'test/replay/fall.test.ts',
  'test/replay/troubled.test.ts',
  'test/db/embedded/lifetime.test.ts',
  'test/corridor/paging.test.ts',
  'test/cli/worlds.test.ts',
  'test/trust/base.test.ts',
  'test/docs/examples.test.ts',
  'test/corridor/failing-category.test.ts',
  'test/derive/pack-change-simulated.test.ts',
  'test/cli/jobs-board.test.ts',
  'test/replay/unchanged.test.ts',
  'test/corridor/poison.test.ts',
  'test/corridor/waiting.test.ts',
  'test/export/after-commands.test.ts',
  'test/security/sentinel-key.test.ts',
  'test/simulator/truth.test.ts',
  'test/derive/promotion-truth.test.ts',
  'test/corridor/host-move.test.ts',
  'test/trust/life.test.ts',
  'test/quality/invariants.test.ts',
  'test/corridor/many-nights.test.ts',
  'test/corridor/queue-lost.test.ts',
  'test/cli/start.test.ts',
  'test/cli/failures.test.ts',
  'test/cli/nights.test.ts',
  'test/corridor/conflicts.test.ts',
  'test/crawl/repeating-categories.test.ts',
  'test/cli/migrate-listing.test.ts',
  'test/cli/play-nights.test.ts',
  'test/db/embedded/users.test.ts',
  'test/cli/signals.test.ts',
  'test/derive/figures.test.ts',
  'test/crawl/stores.test.ts',
  'test/drift/first-pages.test.ts',
  'test/crawl/store-coverage.test.ts',
  'test/corridor/rotation.test.ts',
  'test/simulator/evolution.test.ts',
];

/** Starts with what takes longest and ends with what takes least, so that no long file runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const rank = longest.indexOf(relative(this.ctx.config.root, moduleId));
      if (rank !== -1) return rank;
      return longest.length + (project.config.isolate ? 0 : 1);
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
