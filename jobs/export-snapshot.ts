import { z } from 'zod';
import { defineJob } from './context.ts';

/** Writes certified nights as files to EXPORT_DIR or EXPORT_URL, as far as it is owed. */
export const exportSnapshot = defineJob({
  name: 'export-snapshot',
  payload: z.object({}),
  key: () => 'export-snapshot',

  async run(_, { exporter }, signal) {
    await exporter?.exportOwed(signal);
  },
});
