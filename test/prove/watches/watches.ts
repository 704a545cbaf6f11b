import { startReceiver } from '../../alerts/receiver.ts';
import { openDatabases } from '../ground.ts';
import type { Profile } from '../profile.ts';
import { playWatches } from './play-watches.ts';

/**
 * 10,000 rules over 30 nights, with a receiver that fails every second time: each due message arrives once, none is
 * missed, none arrives twice.
 */
export const watches: Profile = {
  count: 1,
  parallel: 1,
  variants: [],
  async begin(ground) {
    return {
      async play(seed) {
        const databases = await openDatabases(ground);
        const receiver = await startReceiver();
        try {
          const course = { seed, products: 4_000, rules: 10_000, lists: 200, nights: 30 };
          const { broken, due, events, failed, secondsPerNight } = await playWatches(databases.db, receiver, course);
          return {
            seed,
            kind: `${course.rules} rules, ${course.nights} nights`,
            broken,
            counts: { messages: { due, arrived: receiver.taken.length, 'failed attempts': failed, events } },
            figures: { 'seconds per night': secondsPerNight },
          };
        } finally {
          await receiver.close();
          await databases.drop();
        }
      },
    };
  },
};
