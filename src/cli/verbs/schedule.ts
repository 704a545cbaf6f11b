import { compose, composeScheduler } from '../../compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { keepSchedule } from '../keep-schedule.ts';

export const schedule = defineVerb({
  name: 'schedule',
  summary: 'open every night on time, for workers to crawl, until told to stop',
  logsLike: 'service',

  run(_options, { config, clock, log, signal }) {
    return using(compose(config, { clock, log, name: 'schedule' }), (base) =>
      using(composeScheduler(base), async (scheduler) => {
        log.info({}, 'keeping the schedule');
        await keepSchedule(scheduler, signal);
        return undefined;
      }),
    );
  },
});
