import { z } from 'zod';
import { verifyNights as rebuildNights } from '../src/followers/audits/verify.ts';
import { defineJob } from './context.ts';

/** Past nights rebuilt per day; at this rate, three years take about one. */
const nightsADay = 6;

/**
 * Rebuilds a few past nights from history, different ones each day, and logs an error if one differs from its
 * certificate.
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
        log.error({ run: runId, region, night: snapshotDate }, 'a rebuilt night differs from its certificate');
    }
  },
});
