import { compose } from '../../compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { openExplorerOver, refuseUnguarded } from '../open-explorer.ts';

export const serve = defineVerb({
  logsLike: 'service',

  run(_options, { config, clock, log, console, signal }) {
    refuseUnguarded(config);
    return using(compose(config, { clock, log, name: 'serve' }), (base) =>
      using(openExplorerOver(base, console), async ({ url }) => {
        console.say(`Explorer: ${url}`);
        await untilInterrupted(signal);
        return undefined;
      }),
    );
  },
});
