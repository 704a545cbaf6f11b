import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Archive } from '../crawl/archive/archive.ts';
import type { Database } from '../db/client.ts';
import { isHashOwed, storeContentHashes } from '../publish/quality/content-hash.ts';
import { deriveNights } from './derive/derive-nights.ts';
import { owedNights } from './derive/owed-nights.ts';
import { isProfileOwed, takeProfiles } from './drift/take-profiles.ts';
import type { Exporter } from './export/exporter.ts';

/**
 * What follows a night of a region. It owes what it has not done since the nights changed (crawled, released,
 * replayed), and does it whenever it is asked, as often as one likes.
 */
interface Follower {
  readonly name: string;
  isOwed(region: RegionCode): Promise<boolean>;
  /** Returns how many nights it did. */
  follow(region: RegionCode, signal: AbortSignal): Promise<number>;
}

interface FollowerNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly archive: Pick<Archive, 'get'>;
  /** Null where nights are not exported. */
  readonly exporter: Exporter | null;
}

export interface Followers {
  /**
   * Whether a night may be owed something. Exports are asked each time: only they know whether somebody removed the
   * files.
   */
  isAnythingOwed(): Promise<boolean>;
  /**
   * Does what is owed of all regions, in the order of the list; then exports. Rejects with the first failure once all
   * have had their turn, and with the signal's reason once it is aborted.
   */
  follow(signal: AbortSignal): Promise<void>;
}

/** Everything that follows a night, in its order: the one list, for commands, workers and the heartbeat. */
export function createFollowers({ db, clock, log, archive, exporter }: FollowerNeeds): Followers {
  const followers: readonly Follower[] = [
    {
      name: 'content hash',
      isOwed: (region) => isHashOwed(db, region),
      follow: (region) => storeContentHashes(db, region),
    },
    {
      name: 'derived figures',
      isOwed: async (region) => (await owedNights(db, region)) !== null,
      follow: (region, signal) => deriveNights(db, region, { signal, clock }),
    },
    {
      name: 'payload profile',
      isOwed: (region) => isProfileOwed(db, region),
      follow: (region, signal) => takeProfiles({ db, archive, clock }, region, signal),
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
      // What goes wrong for one follower of one region keeps no other from its nights.
      const attempt = (work: () => Promise<void>) => {
        signal.throwIfAborted();
        return work().catch((error: unknown) => {
          // The first is thrown.
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
