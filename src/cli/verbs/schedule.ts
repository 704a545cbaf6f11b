import { composeScheduler } from '../../app/compose.ts';
import { keepSchedule } from '../../app/keep-schedule.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { runWatched } from '../monitor.ts';
import { itemsOption, simulatorOptions } from '../simulated.ts';

export const verb = defineVerb({
  logsLike: 'service',
  options: { items: itemsOption() },

  run({ items }, invocation) {
    const { config, log, signal } = invocation;
    const simulator = simulatorOptions(config, items);
    return runWatched('schedule', invocation, (watched) =>
      using(composeScheduler(watched.base, { simulator }), async (scheduler) => {
        watched.useQueues(scheduler.store);
        log.info({}, 'keeping the schedule');
        await keepSchedule(scheduler, signal);
      }),
    );
  },
});
