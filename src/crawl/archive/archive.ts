import { PayloadLost } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';

/** Location of a body: the gzip member at `byteOffset` of `pack`. */
export interface BodyPlace {
  readonly sha256: string;
  /** Path relative to the archive, with `/` as separator. */
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
  /** Locations of the bodies that are stored. */
  places(sha256s: readonly string[]): Promise<BodyPlace[]>;
}

/** Store of payloads as received. It is content-addressed: a body that is received twice is stored once. */
export interface Archive {
  /** Resolves when payloads can be stored. It checks this only after some could not be. */
  ready(): Promise<void>;
  /** Resolves when the payloads are stored and in the index. */
  put(payloads: readonly Payload[], runId: number | null): Promise<void>;
  /** Returns the decoded body. Throws `PayloadLost` if it was never stored, or its pack is missing or damaged. */
  get(sha256: string): Promise<Uint8Array>;
  /** Returns the decoded bodies in the same order, and `PayloadLost` for each that `get` would throw it for. */
  getAll(sha256s: readonly string[]): Promise<(Uint8Array | PayloadLost)[]>;
  /** Completes what was put, unless it waits for a server, and closes the packs. */
  close(): Promise<void>;
}

const notStored = (sha256: string) => new PayloadLost(sha256, 'it was not stored: ARCHIVE is off');

/** `ARCHIVE=off`: payloads are not stored and nothing can be replayed. */
export const noArchive: Archive = {
  ready: async () => undefined,
  put: async () => undefined,
  get: async (sha256) => {
    throw notStored(sha256);
  },
  getAll: async (sha256s) => sha256s.map(notStored),
  close: async () => undefined,
};
