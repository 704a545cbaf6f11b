import { askableListings, subscriptionsOf } from '../../app/askable-listings.ts';
import { compose } from '../../app/compose.ts';
import { readStatus } from '../../questions/status.ts';
import { statusJson } from '../../web/status-json.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { describeStatus } from '../describe-status.ts';
import { withOwnCommand } from '../hint.ts';

export const status = defineVerb<{ readonly json?: boolean }>({
  declare(command) {
    command.option('--json', 'print JSON');
  },

  run({ json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'status' }), async ({ db, runs }) => {
      const now = clock.now();
      const subscriptions = subscriptionsOf(config);
      const status = await readStatus({ db, runs, now, quotas: askableListings(config, now), subscriptions });
      await console.data(json ? `${JSON.stringify(statusJson(status))}\n` : withOwnCommand(describeStatus(status)));
    });
  },
});
