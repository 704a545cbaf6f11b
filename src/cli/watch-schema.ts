import { PricebookError, SchemaGone } from '../base/errors.ts';
import type { Queryable } from '../db/client.ts';
import { readSchemaPlace } from '../db/migrate.ts';
import type { Invocation } from './define-verb.ts';
import { lookEvery } from './look-every.ts';

/** Same interval as the heartbeat of workers. */
const lookEveryMs = 2_000;

interface SchemaWatch {
  /** The cause of a failure: a dropped schema, or the error itself. */
  insteadOf(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Stops a long-running command when its schema is dropped, even if it was created again since. */
export function watchSchema(sql: Queryable, { end }: Pick<Invocation, 'end'>): SchemaWatch {
  let place: string | null = null;
  let changed: PricebookError | null = null;

  const look = async (): Promise<void> => {
    const now = await readSchemaPlace(sql);
    place ??= now;
    if (now === null || now !== place) changed ??= new SchemaGone();
  };
  const watch = lookEvery(lookEveryMs, async () => {
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
