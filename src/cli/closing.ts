/** Time that running work may take after a command was asked to stop. Unfinished work is repeated later. */
export const graceMs = 25_000;

/** Opens a resource, uses it and closes it, also after an error. */
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
