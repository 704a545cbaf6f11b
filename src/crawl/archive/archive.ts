import type { PayloadLost } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';

/** Store of payloads as received. */
export interface Archive {
  /** Resolves when payloads can be stored. It checks this only after some could not be. */
  ready(): Promise<void>;
  /** Resolves when neither a crash nor a power failure can lose the payloads, and their places are recorded. */
  put(payloads: readonly Payload[], runId: number | null): Promise<void>;
  /** Returns the decoded body. Throws `PayloadLost` if it was never stored, or its pack is missing or damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Returns the decoded bodies in the same order, and `PayloadLost` for each that `get` would throw it for. */
  getAll(sha256s: readonly string[]): Promise<(Uint8Array | PayloadLost)[]>;
  /** Completes what was put, unless it waits for a server, and closes the pack. */
  close(): Promise<void>;
}

/** `ARCHIVE=off`: payloads are not stored and nothing can be replayed. */
export const noArchive: Pick<Archive, 'ready' | 'put' | 'close'> = {
  ready: async () => undefined,
  put: async () => undefined,
  close: async () => undefined,
};

/** The query parameters of a request, such as `/category-page?categoryId=…&pageNo=2`. */
export function questionIn(request: string): Record<string, string> {
  const at = request.indexOf('?');
  return Object.fromEntries(new URLSearchParams(at < 0 ? '' : request.slice(at + 1)));
}
