import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. When that is no longer true only time is lost. */
export const longest: readonly string[] = [
  'test/cli/lost-servers.test.ts',
  'test/prove/faults/faults.test.ts',
  'test/replay/killed-after-apply.test.ts',
  'test/corridor/poison.test.ts',
  'test/corridor/resume.test.ts',
  'test/cli/migrate-listing.test.ts',
  'test/corridor/power-cut.test.ts',
  'test/cli/monitoring.test.ts',
  'test/corridor/failing-category.test.ts',
  'test/explorer/every-page.browser.test.ts',
  'test/replay/mended.test.ts',
  'test/replay/verbs.test.ts',
  'test/derive/pack-change-simulated.test.ts',
  'test/trust/delisting.test.ts',
  'test/cli/signals.test.ts',
  'test/derive/promotion-truth.test.ts',
  'test/corridor/cut-off.test.ts',
  'test/export/after-commands.test.ts',
  'test/trust/fall.test.ts',
  'test/corridor/odd-answers.test.ts',
  'test/docs/recipes.test.ts',
  'test/cli/played-nights.test.ts',
  'test/trust/incremental-copy.test.ts',
  'test/cli/package.test.ts',
  'test/replay/at-the-same-moment.test.ts',
  'test/prove/injections/injections.test.ts',
  'test/db/embedded/crash.test.ts',
  'test/cli/play-nights.test.ts',
  'test/corridor/probe-beside-a-night.test.ts',
  'test/corridor/other-upstream.test.ts',
  'test/corridor/host-move.test.ts',
  'test/corridor/waiting.test.ts',
  'test/trust/base.test.ts',
  'test/cli/worlds.test.ts',
  'test/queue/lost-connections.test.ts',
  'test/db/embedded/lifetime.test.ts',
  'test/corridor/paging.test.ts',
  'test/cli/probe.test.ts',
  'test/corridor/stores-beside-a-night.test.ts',
  'test/trust/checks.test.ts',
  'test/corridor/queue-lost.test.ts',
  'test/corridor/other-settings.test.ts',
  'test/corridor/pace.test.ts',
  'test/cli/failures.test.ts',
  'test/cli/nights.test.ts',
  'test/cli/schedule-and-work.test.ts',
  'test/cli/start.test.ts',
  'test/cli/plan.test.ts',
  'test/cli/switched-while-publishing.test.ts',
  'test/db/embedded/users.test.ts',
  'test/derive/region-match.test.ts',
  'test/queue/redis-cluster.test.ts',
  'test/db/migrate.test.ts',
  'test/replay/fall.test.ts',
  'test/replay/troubled.test.ts',
  'test/quality/checks.test.ts',
  'test/derive/figures.test.ts',
  'test/crawl/stores.test.ts',
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
