import { assess } from '../src/publish/assess.ts';
import { publishNight } from '../src/publish/publish-night.ts';
import { planRepair } from '../src/publish/repair.ts';
import { tidyUp } from '../src/publish/tidy-up.ts';
import { defineStep } from './context.ts';
import { followNights } from './follow-nights.ts';

/** All units are settled: repairs the run if it is incomplete, then certifies and publishes it. */
export const finishCrawl = defineStep('finish-crawl', 'finishing', async (context, run) => {
  // A finished run stores the number of its requests.
  await context.writeSpend();
  const { db, log, settings } = context;
  const { runId, region } = run;
  const { judgement, isRepaired } = await db.tx(async (tx) => {
    const assessment = await assess(tx, runId, settings.certify);
    return { judgement: assessment.judgement, isRepaired: await planRepair(tx, context, run, assessment) };
  });
  if (isRepaired) return;
  const begunMs = performance.now();
  const { verdict, ...published } = await publishNight(context, run, judgement);
  context.measure.publication({ region, seconds: (performance.now() - begunMs) / 1_000 });
  log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'run held' : 'run published');
  try {
    await tidyUp(db);
  } catch (error) {
    // The run is over: whatever failed is done after the next night.
    log.warn({ run: runId, region, err: error }, 'could not tidy up after a night');
  }
  await context.queues.enqueue(followNights, {});
});
