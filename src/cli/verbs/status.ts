import { compose } from '../../compose.ts';
import { standingJson } from '../../dashboard/standing-json.ts';
import { readStanding } from '../../ledger/standing.ts';
import { askableListings } from '../askable-listings.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { describeStanding } from '../describe-standing.ts';

export const status = defineVerb<{ readonly json?: boolean }>({
  name: 'status',
  summary: 'show what is being crawled, the last nights, and what is left of the limits',
  declare(command) {
    command.option('--json', 'print JSON');
  },

  run({ json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'status' }), async ({ db, runs }) => {
      const standing = await readStanding({ db, runs, now: clock.now(), quotas: askableListings(config) });
      await console.data(json ? `${JSON.stringify(standingJson(standing))}\n` : describeStanding(standing));
      return undefined;
    });
  },
});
