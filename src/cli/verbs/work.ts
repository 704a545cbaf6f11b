import { followNights } from '../../../jobs/follow-nights.ts';
import { composeCrawler } from '../../app/compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { composeWatched, openMonitoringOver } from '../monitor.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

export const work = defineVerb<ItemsOption>({
  logsLike: 'service',
  declare: declareItems,

  run(options, invocation) {
    const { config, log, signal } = invocation;
    const simulator = simulatorOptions(config, options);
    return using(composeWatched('work', invocation), (watched) =>
      using(openMonitoringOver(watched), () =>
        using(composeCrawler(watched.base, { simulator }), async ({ store, context }) => {
          watched.useQueues(store);
          log.info({ queue: store.kind, upstream: config.upstream }, 'working');
          // New rules can owe nights, and without a schedule no heartbeat tells of them. Where the queue is away now,
          // they are followed when the next night ends.
          await context.queues.enqueue(followNights, {}).catch(() => undefined);
          await untilInterrupted(signal);
        }),
      ),
    );
  },
});
