import { compose, composePruning } from '../../app/compose.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { wholeNumber } from '../option-values.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly days?: number;
  readonly json?: boolean;
}

export const prune = defineVerb<Options>({
  declare(command) {
    command
      .option('--days <n>', 'delete what is older than this many days (default: ARCHIVE_DAYS)', wholeNumber(1, 36_500))
      .option('--json', 'print JSON');
  },

  run({ days, json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'prune' }), async (base) => {
      const archiveDays = days ?? config.archiveDays;
      const { payloads, packs } = await composePruning(base)(archiveDays);
      if (json) {
        await console.data(`${JSON.stringify({ version: 1, payloads, packs })}\n`);
        return;
      }
      if (archiveDays === 0) console.say('Payloads are kept without limit (ARCHIVE_DAYS=0).');
      else await console.data(`${count(payloads)} payloads and ${count(packs)} packs deleted\n`);
    });
  },
});
