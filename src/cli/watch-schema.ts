import type { Askable } from '../db/client.ts';
import { findNewerSchema } from '../db/migrate.ts';
import type { Invocation } from './define-verb.ts';
import { lookEvery } from './look-every.ts';

/** As often as the heartbeat of workers. */
const lookEveryMs = 2_000;

/** Ends a command that runs for long when a newer program migrates the database under it: what it would write follows older rules. */
export function watchSchema(sql: Askable, { end }: Pick<Invocation, 'end'>): { close(): Promise<void> } {
  return lookEvery(lookEveryMs, async () => {
    // While the database is away nothing can be written by older rules either.
    const newer = await findNewerSchema(sql).catch(() => null);
    if (newer !== null) end(newer);
  });
}
