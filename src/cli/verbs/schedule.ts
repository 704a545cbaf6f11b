import { composeScheduler } from '../../app/compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { keepSchedule } from '../keep-schedule.ts';
import { composeWatched, openMonitoringOver } from '../monitor.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

export const schedule = defineVerb<ItemsOption>({
  logsLike: 'service',
  declare: declareItems,

  run(options, invocation) {
    const { config, log, signal } = invocation;
    const simulator = simulatorOptions(config, options);
    return using(composeWatched('schedule', invocation), (watched) =>
      using(openMonitoringOver(watched), () =>
        using(composeScheduler(watched.base, { simulator }), async (scheduler) => {
          watched.useQueues(scheduler.store);
          log.info({}, 'keeping the schedule');
          await keepSchedule(scheduler, signal);
        }),
      ),
    );
  },
});
