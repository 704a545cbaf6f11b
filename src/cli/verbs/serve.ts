import { followQueues } from '../../app/follow-queues.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { composeWatched } from '../monitor.ts';
import { openExplorerOver, refuseUnguarded } from '../open-explorer.ts';

export const verb = defineVerb({
  logsLike: 'service',

  run(_options, invocation) {
    const { config, console, signal } = invocation;
    refuseUnguarded(config);
    return using(composeWatched('serve', invocation), (watched) =>
      using(followQueues(watched.base, watched.useQueues), () =>
        using(openExplorerOver(watched, console), async ({ url }) => {
          console.say(`Explorer: ${url}`);
          await untilInterrupted(signal);
        }),
      ),
    );
  },
});
