import type { Askable } from '../db/client.ts';
import { findNewerSchema, readSchemaPlace } from '../db/migrate.ts';
import { PricebookError, SchemaGone } from '../errors.ts';
import type { Invocation } from './define-verb.ts';
import { lookEvery } from './look-every.ts';

/** As often as the heartbeat of workers. */
const lookEveryMs = 2_000;

export interface SchemaWatch {
  /** Why something failed: that the schema is another one, where that is so, or the failure itself. */
  insteadOf(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Ends a command that runs for long when a newer program migrates the database under it, as what it would write follows older rules, or
 * somebody empties it.
 */
export function watchSchema(sql: Askable, { end }: Pick<Invocation, 'end'>): SchemaWatch {
  let place: string | null = null;
  let changed: PricebookError | null = null;

  const look = async (): Promise<void> => {
    const now = await readSchemaPlace(sql);
    place ??= now;
    changed ??= now === null || now !== place ? new SchemaGone() : await findNewerSchema(sql);
  };
  const watch = lookEvery(lookEveryMs, async () => {
    // While the database is away nothing can be written by older rules either.
    await look().catch(() => undefined);
    if (changed !== null) end(changed);
  });

  return {
    async insteadOf(error) {
      if (error instanceof PricebookError) return error;
      await look().catch(() => undefined);
      return changed ?? error;
    },
    close: watch.close,
  };
}
