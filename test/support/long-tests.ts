/**
 * Drawn schedules, random moments and tours of everything, which repeat at length what tests of single behaviours show:
 * a run of their own (`npm run test:long`), so that `npm test` stays short enough to be run before every push. CI runs
 * both.
 */
export const longTests: readonly string[] = [
  // Seeded schedules of faults; `npm run prove` draws more of them.
  'test/prove/faults/faults.test.ts',
  'test/prove/injections/injections.test.ts',
  'test/prove/profiles.test.ts',
  // Random sequences of what befalls nights, and kills or a cut of the power at any moment.
  'test/trust/life.test.ts',
  'test/trust/base.test.ts',
  'test/trust/incremental-copy.test.ts',
  'test/replay/at-the-same-moment.test.ts',
  'test/replay/killed.test.ts',
  'test/corridor/power-cut.test.ts',
  'test/corridor/redis-cluster.test.ts',
  'test/db/embedded/crash.test.ts',
  'test/export/after-commands.test.ts',
  'test/export/cut-off.test.ts',
  'test/security/random-requests.test.ts',
  // Clients of others, Spark among them.
  'test/export/clients.test.ts',
  // The size of a real supermarket.
  'test/crawl/fewest-requests.test.ts',
  // Months of an invented supermarket, whose truth every row is held to.
  'test/derive/promotion-truth.test.ts',
  'test/derive/pack-change-simulated.test.ts',
  // Every role, every page in every state in a browser, and the installed package.
  'test/cli/monitoring.test.ts',
  // Commands wait as long as they may for a server that does not come back.
  'test/cli/blip.test.ts',
  'test/cli/lost-servers.test.ts',
  'test/cli/lost-schedule.test.ts',
  // Commands beside one another, some of them killed.
  'test/cli/played-nights.test.ts',
  'test/cli/other-keys.test.ts',
  'test/cli/signals.test.ts',
  'test/explorer/every-page.browser.test.ts',
  'test/cli/package.test.ts',
];
