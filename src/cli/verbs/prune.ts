import { composePruning } from '../../app/compose.ts';
import { plural } from '../../base/format.ts';
import { option, wholeNumber } from '../option-values.ts';
import { readVerb } from '../read-verb.ts';

const about = 'delete what is older than this many days (default: ARCHIVE_DAYS)';

export const verb = readVerb({
  options: { days: option('--days <n>', about, wholeNumber(1, 36_500)) },

  async read({ days }, base) {
    const archiveDays = days ?? base.config.archiveDays;
    const { payloads, packs } = await composePruning(base, archiveDays);
    const json = { version: 1, payloads, packs };
    if (archiveDays === 0) return { json, notes: ['Payloads are kept without limit (ARCHIVE_DAYS=0).'] };
    return { json, text: `${plural(payloads, 'payload')} and ${plural(packs, 'pack')} deleted\n` };
  },
});
