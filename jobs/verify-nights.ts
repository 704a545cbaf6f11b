import { verifyNights as rebuildNights } from '../src/followers/audits/verify.ts';
import { defineChore } from './context.ts';

/** Past nights rebuilt per day; at this rate, three years take about one. */
const nightsADay = 6;

/** Rebuilds a few past nights from history, different ones each day, and compares them with their certificates. */
export const verifyNights = defineChore('verify-nights', async ({ db, clock, log }) => {
  const now = clock.now();
  const nights = await rebuildNights(db, { sample: nightsADay, seed: now.toISOString().slice(0, 10), now });
  for (const { runId, region, snapshotDate, isSame } of nights) {
    if (!isSame) log.error({ run: runId, region, night: snapshotDate }, 'a rebuilt night differs from its certificate');
  }
});
