import { z } from 'zod';
import { defineJob } from './context.ts';

/** Deletes payloads, pages and details of runs that are older than ARCHIVE_DAYS. */
export const pruneArchive = defineJob({
  name: 'prune-archive',
  payload: z.object({}),
  key: () => 'prune-archive',

  async run(_, { prune, log }) {
    const { payloads, packs } = await prune();
    if (payloads + packs > 0) log.info({ payloads, packs }, 'old payloads deleted');
  },
});
