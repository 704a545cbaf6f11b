import { PayloadLost } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';

/** Location of a body: the gzip member at `byteOffset` of `pack`. */
export interface BodyPlace {
  readonly sha256: string;
  /** Path relative to the archive folder, with `/` as separator. */
  readonly pack: string;
  readonly byteOffset: number;
  readonly storedBytes: number;
  readonly rawBytes: number;
}

/** Index of archived payloads and their bodies; implemented by the ledger. */
export interface PayloadIndex {
  /** Subset of `sha256s` whose body is stored. With `since` (YYYY-MM-DD), only packs of that day or later count. */
  known(sha256s: readonly string[], since: string | null): Promise<ReadonlySet<string>>;
  /** Adds payloads, and the locations of bodies that are new. */
  add(payloads: readonly Payload[], runId: number | null, places: readonly BodyPlace[]): Promise<void>;
  /** Location of a body; null if it is not stored. */
  place(sha256: string): Promise<BodyPlace | null>;
}

/** Store of payloads as received. It is content-addressed: a body that is received twice is stored once. */
export interface Archive {
  /** Resolves when the payloads are on disk and in the index. */
  put(payloads: readonly Payload[], runId: number | null): Promise<void>;
  /** Returns the decoded body. Throws `PayloadLost` if it was never stored, or its pack is missing or damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Flushes everything that was put to disk and closes the pack. */
  close(): Promise<void>;
}

/** `ARCHIVE=off`: payloads are not stored and nothing can be replayed. */
export const noArchive: Archive = {
  put: async () => undefined,
  get: async (sha256) => {
    throw new PayloadLost(sha256, 'it was not stored: ARCHIVE is off');
  },
  close: async () => undefined,
};
