import { z } from 'zod';
import { defineJob } from './context.ts';

/** Forgets payloads older than ARCHIVE_DAYS that nothing needs any more. */
export const pruneArchive = defineJob({
  name: 'prune-archive',
  payload: z.object({}),
  key: () => 'prune-archive',

  async run(_, { prune, log }) {
    const { payloads, packs } = await prune();
    if (payloads + packs > 0) log.info({ payloads, packs }, 'old payloads forgotten');
  },
});
