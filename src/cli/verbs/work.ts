import { compose, composeCrawler } from '../../compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { declareItems, type ItemsOption, simulatorOptions } from '../simulated.ts';

export const work = defineVerb<ItemsOption>({
  logsLike: 'service',
  declare: declareItems,

  run(options, { config, clock, log, signal }) {
    const simulator = simulatorOptions(config, options);
    return using(compose(config, { clock, log, name: 'work' }), (base) =>
      using(composeCrawler(base, { simulator }), async ({ store }) => {
        log.info({ queue: store.kind, upstream: config.upstream }, 'working');
        await untilInterrupted(signal);
        return undefined;
      }),
    );
  },
});
