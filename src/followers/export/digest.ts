import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileDigest } from './destination.ts';

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
