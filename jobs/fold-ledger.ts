import { z } from 'zod';
import { defineJob } from './context.ts';

/** Folds pages, details and payloads of runs older than LEDGER_DAYS into a few rows. */
export const foldLedger = defineJob({
  name: 'fold-ledger',
  payload: z.object({}),
  key: () => 'fold-ledger',

  async run(_, { fold, log }, signal) {
    const { runs, rows } = await fold(signal);
    if (runs > 0) log.info({ runs, rows }, 'old runs folded');
  },
});
