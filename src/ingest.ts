import type { Archive } from './archive/archive.ts';
import type { Endpoint } from './endpoints/define-endpoint.ts';
import type { Answer } from './gateway/gateway.ts';
import type { Reading } from './model/index.ts';

/**
 * The corridor: every payload, live or replayed, walks through here. It is archived before it is read, so a reading
 * that fails (`ContractBroken`) loses nothing; `stage` keeps what was read.
 */
export function createIngest({ archive }: { readonly archive: Archive }) {
  return async <Params, Records>(
    endpoint: Endpoint<Params, Records>,
    params: Params,
    answer: Answer,
    runId: number,
    stage: (reading: Reading<Records>) => Promise<void>,
  ): Promise<Records> => {
    const kept = archive.put(answer.payload, runId);
    // Reading is pure and takes a millisecond; the payload is on disk before anything of it is staged.
    const reading = readOrThrow(() => endpoint.read(answer.body, params));
    await kept;
    const read = reading();
    await stage(read);
    return read.records;
  };
}

/** Runs `read` now and reports its outcome when asked, so that a failure cannot overtake the archive. */
function readOrThrow<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

export type Ingest = ReturnType<typeof createIngest>;
