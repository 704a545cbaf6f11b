import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type ExtraField, type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Archive } from '../crawl/archive/archive.ts';
import type { Database } from '../db/client.ts';
import { deriveNights } from './derive/derive-nights.ts';
import { owedNights } from './derive/owed-nights.ts';
import { isProfileOwed, takeProfiles } from './drift/take-profiles.ts';
import type { Exporter } from './export/exporter.ts';
import { fillExtraNight, isExtraNightOwed } from './extra/fill-night.ts';
import { collectEvents, isCollectionOwed } from './watches/collect-events.ts';

/**
 * Processing of a region's nights after publication. Owes nights that changed since its last run (crawled, released,
 * replayed). Idempotent.
 */
interface Follower {
  readonly name: string;
  isOwed(region: RegionCode): Promise<boolean>;
  /** Returns the number of processed nights. */
  follow(region: RegionCode, signal: AbortSignal): Promise<number>;
}

interface FollowerNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly archive: Pick<Archive, 'getAll'>;
  /** Fields of EXTRA_FIELDS. */
  readonly extraFields: readonly ExtraField[];
  /** Null: no automatic export. */
  readonly exporter: Exporter | null;
  /** Whether messages of watches are sent; otherwise they are kept for feeds only. */
  readonly hasReceiver: boolean;
}

export interface Followers {
  /** Whether any follower may have work. Exports are always asked, because only they notice deleted files. */
  isAnythingOwed(): Promise<boolean>;
  /**
   * Runs all followers of all regions in order, then exports. Rejects with the first failure after all have run, or
   * with the signal's reason.
   */
  follow(signal: AbortSignal): Promise<void>;
}

/** All followers in order, shared by commands, workers and `watch-runs`. */
export function createFollowers(needs: FollowerNeeds): Followers {
  const { db, clock, log, archive, extraFields, exporter, hasReceiver } = needs;
  const followers: readonly Follower[] = [
    {
      name: 'derived figures',
      isOwed: async (region) => (await owedNights(db, region)) !== null,
      follow: (region, signal) => deriveNights(db, region, { signal, clock }),
    },
    {
      name: 'watches',
      isOwed: (region) => isCollectionOwed(db, region),
      follow: (region) => collectEvents({ db, clock, hasReceiver }, region),
    },
    {
      name: 'payload profile',
      isOwed: (region) => isProfileOwed(db, region),
      follow: (region, signal) => takeProfiles({ db, archive, clock }, region, signal),
    },
    {
      name: 'extra fields',
      isOwed: (region) => isExtraNightOwed(db, region, extraFields),
      follow: (region, signal) => fillExtraNight({ db, archive }, region, extraFields, signal),
    },
  ];

  return {
    async isAnythingOwed() {
      if (exporter) return true;
      for (const region of regionCodes) for (const { isOwed } of followers) if (await isOwed(region)) return true;
      return false;
    },

    async follow(signal) {
      const failures: unknown[] = [];
      // A failure of one follower for one region does not stop the others.
      const attempt = (work: () => Promise<void>) => {
        signal.throwIfAborted();
        return work().catch((error: unknown) => {
          // The first failure is thrown, later ones are logged.
          if (failures.push(error) > 1) log.error({ err: error }, 'another follower failed');
        });
      };
      for (const region of regionCodes) {
        for (const follower of followers) await attempt(() => followAll(follower, region, signal));
      }
      await attempt(async () => exporter?.exportOwed(signal));
      if (failures.length > 0) throw failures[0];
    },
  };

  async function followAll({ name, isOwed, follow }: Follower, region: RegionCode, signal: AbortSignal): Promise<void> {
    let nights = 0;
    while (await isOwed(region)) {
      signal.throwIfAborted();
      const done = await follow(region, signal);
      if (done === 0) break;
      nights += done;
    }
    if (nights > 0) log.info({ region, follower: name, nights }, 'nights followed');
  }
}
