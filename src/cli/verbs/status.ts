import { statusOf } from '../../app/askable-listings.ts';
import { compose } from '../../app/compose.ts';
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
    return using(compose(config, { clock, log, name: 'status' }), async (base) => {
      const status = await statusOf(base);
      await console.data(json ? `${JSON.stringify(statusJson(status))}\n` : withOwnCommand(describeStatus(status)));
    });
  },
});
