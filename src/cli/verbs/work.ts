import { composeCrawler } from '../../compose.ts';
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
        using(composeCrawler(watched.base, { simulator }), async ({ store }) => {
          watched.useQueues(store);
          log.info({ queue: store.kind, upstream: config.upstream }, 'working');
          await untilInterrupted(signal);
          return undefined;
        }),
      ),
    );
  },
});
