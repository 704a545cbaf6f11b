import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Archive } from '../crawl/archive/archive.ts';
import type { Database } from '../db/client.ts';
import { deriveNights } from './derive/derive-nights.ts';
import { owedNights } from './derive/owed-nights.ts';
import { isDriftOwed, takeDrift } from './drift/drift.ts';
import type { Exporter } from './export/exporter.ts';
import { type AskQuestion, followWatches, owedWatches } from './watches/watches.ts';

interface FollowerNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly archive: Pick<Archive, 'getAll'>;
  /** Null: no automatic export. */
  readonly exporter: Exporter | null;
  /** Asks the questions of watches; null: there is no receiver for their messages. */
  readonly ask: AskQuestion | null;
}

export type Followers = ReturnType<typeof createFollowers>;

/** All followers in order, shared by commands, workers and `watch-runs`. */
export function createFollowers({ db, clock, log, archive, exporter, ask }: FollowerNeeds) {
  /** Each owes nights of a region that changed since its last run (crawled, released, replayed), and is idempotent. */
  const followers = [
    {
      name: 'derived figures',
      isOwed: async (region: RegionCode) => (await owedNights(db, region)) !== null,
      follow: (region: RegionCode, signal: AbortSignal) => deriveNights(db, region, { signal, clock }),
    },
    {
      name: 'drift of payloads',
      isOwed: (region: RegionCode) => isDriftOwed(db, region),
      follow: (region: RegionCode, signal: AbortSignal) => takeDrift({ db, archive, clock }, region, signal),
    },
  ];

  return {
    /** Whether any follower may have work. Exports are always asked, because only they notice deleted files. */
    async isAnythingOwed(): Promise<boolean> {
      if (exporter) return true;
      for (const region of regionCodes) for (const { isOwed } of followers) if (await isOwed(region)) return true;
      return ask !== null && (await owedWatches(db)).owed.length > 0;
    },

    /**
     * Runs all followers of all regions in order, then asks watched questions and exports. Rejects with the first
     * failure after all have run, or with the signal's reason.
     */
    async follow(signal: AbortSignal): Promise<void> {
      const failures: unknown[] = [];
      // A failure of one follower for one region does not stop the others.
      const attempt = (work: () => Promise<unknown>) => {
        signal.throwIfAborted();
        return work().catch((error: unknown) => {
          // The first failure is thrown, later ones are logged.
          if (failures.push(error) > 1) log.error({ err: error }, 'another follower failed');
        });
      };
      for (const region of regionCodes) {
        for (const { name, isOwed, follow } of followers) {
          await attempt(async () => {
            if (!(await isOwed(region))) return;
            log.info({ region, follower: name, nights: await follow(region, signal) }, 'nights followed');
          });
        }
      }
      // Questions may be about both regions.
      if (ask !== null) await attempt(() => followWatches({ db, clock, ask }, signal));
      await attempt(async () => exporter?.exportOwed(signal));
      if (failures.length > 0) throw failures[0];
    },
  };
}
