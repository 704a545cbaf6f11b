/** What closes something that was opened. */
export type Closer = () => Promise<unknown>;

/** Every closer runs, the last opened first; the first failure is reported after all have run. */
export async function unwind(closers: Closer[]): Promise<void> {
  let failure: unknown = null;
  for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch((error) => (failure ??= error));
  if (failure) throw failure;
}
