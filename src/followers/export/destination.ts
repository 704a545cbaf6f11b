import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Destination of exports: a folder or bucket. Paths are relative with `/`. */
export interface Destination {
  /** Display name: `/data/lake`, `s3://bucket/lake`. */
  readonly name: string;
  /** Writes a file atomically. */
  put(path: string, localPath: string, signal: AbortSignal): Promise<void>;
  /** Digest of a file, read completely; null: it does not exist. */
  digest(path: string, signal: AbortSignal): Promise<FileDigest | null>;
  /** Deletes a file; a missing file is ignored. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** Copies a file to a new local path; false: it does not exist. */
  download(path: string, localPath: string, signal: AbortSignal): Promise<boolean>;
  /** Text of a file; null: it does not exist. */
  readText(path: string, signal: AbortSignal): Promise<string | null>;
  /** Creates a text atomically. False: the path exists already, and nothing has changed. */
  writeNew(path: string, text: string, signal: AbortSignal): Promise<boolean>;
}

export interface FileDigest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Reads a stream completely. */
export async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export const digestOfFile = (path: string): Promise<FileDigest> => digestOf(createReadStream(path));
