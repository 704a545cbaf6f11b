/**
 * How long work in progress may take when a command is asked to end; what is not done by then is done again next time.
 */
export const graceMs = 25_000;

/** Opens something, uses it, and closes it however the use ended. */
export async function using<Thing extends { close(graceMs: number): Promise<unknown> }, Result>(
  opening: Promise<Thing>,
  use: (thing: Thing) => Promise<Result>,
): Promise<Result> {
  const thing = await opening;
  try {
    return await use(thing);
  } finally {
    await thing.close(graceMs);
  }
}
