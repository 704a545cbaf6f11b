import { z } from 'zod';
import { verifyNights as rebuildNights } from '../src/followers/audits/verify.ts';
import { defineJob } from './context.ts';

/** Past nights rebuilt each day: three years come round in about one. */
const nightsADay = 6;

/**
 * Rebuilds a few past nights from history, other ones every day, and says so loudly when one is no longer what it was.
 */
export const verifyNights = defineJob({
  name: 'verify-nights',
  payload: z.object({}),
  key: () => 'verify-nights',

  async run(_, { db, clock, log }) {
    const now = clock.now();
    const nights = await rebuildNights(db, { sample: nightsADay, seed: now.toISOString().slice(0, 10), now });
    for (const { runId, region, snapshotDate, isSame } of nights) {
      if (!isSame)
        log.error({ run: runId, region, night: snapshotDate }, 'a night no longer reads as it was certified');
    }
  },
});
