import { PayloadLost } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';

/** Where a body lies: gzip member at `byteOffset` of `pack`. */
export interface BodyPlace {
  readonly sha256: string;
  /** Relative to the archive folder, with `/`. */
  readonly pack: string;
  readonly byteOffset: number;
  readonly storedBytes: number;
  readonly rawBytes: number;
}

/** What the archive needs of the ledger: which bodies are kept already, and a place for the index. */
export interface PayloadIndex {
  /** Of these hashes, the ones whose body is kept, in a pack of `since` (YYYY-MM-DD) or later when it is given. */
  known(sha256s: readonly string[], since: string | null): Promise<ReadonlySet<string>>;
  /** Adds payloads and the places of bodies that were not known. */
  add(payloads: readonly Payload[], runId: number | null, places: readonly BodyPlace[]): Promise<void>;
  /** Where a body lies, or null. */
  place(sha256: string): Promise<BodyPlace | null>;
}

/** Payloads as received. Content-addressed: a body received twice is kept once. */
export interface Archive {
  /** Resolves when the payloads are on disk and in the index. */
  put(payloads: readonly Payload[], runId: number | null): Promise<void>;
  /** The decoded body; throws `PayloadLost` when it was not kept, or its pack is missing or damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Makes everything put so far safe from a power failure, and closes the pack. */
  close(): Promise<void>;
}

/** `ARCHIVE=off`: nothing is kept, and nothing can be replayed. */
export const noArchive: Archive = {
  put: async () => undefined,
  get: async (sha256) => {
    throw new PayloadLost(sha256, 'it was not kept: ARCHIVE is off');
  },
  close: async () => undefined,
};
