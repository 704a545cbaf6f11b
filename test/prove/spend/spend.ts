import { openDatabases } from '../ground.ts';
import type { Profile } from '../profile.ts';
import { playWithCommands } from './killed-spend.ts';
import { playDatabaseClock, playSpendSchedule } from './played-spend.ts';

/**
 * Processes that race for requests against limits in every window and are killed at any moment. No limit may be
 * exceeded by a single request. On played time the simulator's meter counts; with `commands` they are `pricebook crawl`
 * and the simulator enforces the limits over HTTP, 75 seconds a trial.
 */
export const spend: Profile = {
  count: 100,
  parallel: 2,
  variants: ['commands'],
  begin(ground, only) {
    if (only === 'commands') return (seed) => playWithCommands(ground, seed);
    return async (seed) => {
      // A database of its own, because each schedule has its own clock.
      const { db, drop } = await openDatabases(ground);
      try {
        await playDatabaseClock(db);
        return await playSpendSchedule(db, seed);
      } finally {
        await drop();
      }
    };
  },
};
