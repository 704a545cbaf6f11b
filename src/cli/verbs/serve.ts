import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { followQueues } from '../follow-queues.ts';
import { untilInterrupted } from '../interruption.ts';
import { composeWatched } from '../monitor.ts';
import { openExplorerOver, refuseUnguarded } from '../open-explorer.ts';

export const serve = defineVerb({
  logsLike: 'service',

  run(_options, invocation) {
    const { config, console, signal } = invocation;
    refuseUnguarded(config);
    return using(composeWatched('serve', invocation), (watched) =>
      using(followQueues(watched.base, watched.useQueues), () =>
        using(openExplorerOver(watched, console), async ({ addresses }) => {
          console.say(`Explorer: ${addresses}`);
          await untilInterrupted(signal);
        }),
      ),
    );
  },
});
