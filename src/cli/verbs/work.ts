import { followNights } from '../../../jobs/follow-nights.ts';
import { composeCrawler } from '../../app/compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { runWatched } from '../monitor.ts';
import { itemsOption, simulatorOptions } from '../simulated.ts';

export const verb = defineVerb({
  logsLike: 'service',
  options: { items: itemsOption() },

  run({ items }, invocation) {
    const { config, log, signal } = invocation;
    const simulator = simulatorOptions(config, items);
    return runWatched('work', invocation, (watched) =>
      using(composeCrawler(watched.base, { simulator }), async ({ store, context }) => {
        watched.useQueues(store);
        log.info({ queue: store.kind, upstream: config.upstream }, 'working');
        // After an update nights may need derivation, and without a schedule `watch-runs` does not enqueue it. If
        // the queue is unreachable now, the follower job runs after the next night.
        await context.queues.enqueue(followNights, {}).catch(() => undefined);
        await untilInterrupted(signal);
      }),
    );
  },
});
