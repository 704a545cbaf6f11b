import type { Profile } from '../profile.ts';
import { playWithCommands } from './killed-spend.ts';
import { openPlayedSpend } from './played-spend.ts';

/**
 * Processes that race for requests against limits in every window and are killed at any moment. No limit may be
 * exceeded by a single request. On played time the simulator's meter counts; with `commands` they are `pricebook crawl`
 * and the simulator enforces the limits over HTTP, 75 seconds a trial.
 */
export const spend: Profile = {
  count: 100,
  parallel: 2,
  variants: ['commands'],
  async begin(ground, { only }) {
    if (only === 'commands') return { play: (seed) => playWithCommands(ground, seed) };
    return openPlayedSpend(ground);
  },
};
