import { compose, composeScheduler } from '../../compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { keepSchedule } from '../keep-schedule.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

export const schedule = defineVerb<ItemsOption>({
  logsLike: 'service',
  declare: declareItems,

  run(options, { config, clock, log, signal }) {
    const simulator = simulatorOptions(config, options);
    return using(compose(config, { clock, log, name: 'schedule' }), (base) =>
      using(composeScheduler(base, { simulator }), async (scheduler) => {
        log.info({}, 'keeping the schedule');
        await keepSchedule(scheduler, signal);
        return undefined;
      }),
    );
  },
});
