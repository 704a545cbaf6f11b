import { defineChore } from './context.ts';

/** Deletes payloads, pages and details of runs that are older than ARCHIVE_DAYS. */
export const pruneArchive = defineChore('prune-archive', async ({ prune, log }) => {
  const { payloads, packs } = await prune();
  if (payloads + packs > 0) log.info({ payloads, packs }, 'old payloads deleted');
});
