import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** `s3://bucket/prefix`. */
export const bucketUrlPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.=/-]*))?$/;

/** Where snapshots go: a folder, or a bucket. Paths are relative and have `/`. */
export interface Destination {
  /** For people: `/data/lake`, `s3://bucket/lake`. */
  readonly name: string;
  /** Puts a file there, whole or not at all. */
  put(path: string, file: LocalFile, signal: AbortSignal): Promise<void>;
  /** What lies at a path, read to its end; null: nothing. */
  digest(path: string, signal: AbortSignal): Promise<FileDigest | null>;
  /** Paths of the files in a folder. */
  list(folder: string, signal: AbortSignal): Promise<string[]>;
  /** Removes a file; one that is not there is no trouble. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** The text at a path, and what tells it from a later one; null: nothing. */
  readText(path: string, signal: AbortSignal): Promise<{ readonly text: string; readonly version: string } | null>;
  /** Replaces a text if it is still `version` (null: nothing). False when it is not. */
  writeText(path: string, text: string, version: string | null, signal: AbortSignal): Promise<boolean>;
}

/** A file that was written here first, whole. */
export interface LocalFile extends FileDigest {
  readonly localPath: string;
}

export interface FileDigest {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Reads a stream to its end. */
export async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export function digestOfFile(path: string): Promise<FileDigest> {
  return digestOf(createReadStream(path));
}
