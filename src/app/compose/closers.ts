/** Closes a resource. */
export type Closer = () => Promise<unknown>;

/** Runs all closers, last opened first; throws the first error after all have run. */
export async function unwind(closers: Closer[]): Promise<void> {
  let failure: unknown = null;
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch((error) => (failure ??= error));
  if (failure) throw failure;
}
