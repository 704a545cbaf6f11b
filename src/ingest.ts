import type { Archive } from './archive/archive.ts';
import type { Endpoint } from './endpoints/define-endpoint.ts';
import { ContractBroken } from './errors.ts';
import type { Answer } from './gateway/gateway.ts';
import type { Payload, Reading } from './model/index.ts';

export interface IngestNeeds {
  readonly archive: Pick<Archive, 'put'>;
  /** Puts a payload whose envelope is not what we know into quarantine, whole. */
  onBroken(
    endpoint: Endpoint<never, unknown>,
    payload: Payload,
    runId: number | null,
    broken: ContractBroken,
  ): Promise<void>;
}

/**
 * The pipeline of every payload, live or replayed. It is archived before it is read, so a reading
 * that fails (`ContractBroken`) loses nothing; `stage` keeps what was read.
 */
export function createIngest({ archive, onBroken }: IngestNeeds) {
  return async <Params, Records>(
    endpoint: Endpoint<Params, Records>,
    params: Params,
    answer: Answer,
    runId: number | null,
    stage: (reading: Reading<Records>) => Promise<void>,
  ): Promise<Records> => {
    const kept = archive.put(answer.payload, runId);
    // Reading is pure and takes a millisecond; the payload is on disk before anything of it is staged.
    const reading = readOrThrow(() => endpoint.read(answer.body, params));
    await kept;
    let read: Reading<Records>;
    try {
      read = reading();
    } catch (error) {
      if (error instanceof ContractBroken) await onBroken(endpoint, answer.payload, runId, error);
      throw error;
    }
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
