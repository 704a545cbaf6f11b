import { open, readFile } from 'node:fs/promises';
import type { LocalFile } from '../destination.ts';
import type { S3Client } from './client.ts';
import { escaped, textsOf } from './xml.ts';

/** S3 takes no smaller parts but the last, and no more than 10,000. */
const usualPartBytes = 8 * 1024 * 1024;

/**
 * Puts a file into the bucket: at once, or in parts when it is large, one part in memory. It is there whole or not at
 * all.
 */
export async function putFile(
  ask: S3Client,
  path: string,
  { localPath, bytes }: LocalFile,
  signal: AbortSignal,
  partBytes = usualPartBytes,
): Promise<void> {
  if (bytes <= partBytes) {
    await ask({ method: 'PUT', path, body: await readFile(localPath) }, signal);
    return;
  }
  const created = await ask({ method: 'POST', path, query: { uploads: '' } }, signal);
  const [uploadId] = textsOf(created.text, 'UploadId');
  if (uploadId === undefined) throw new Error('the server began an upload and did not name it');
  try {
    const parts = await putParts(ask, { path, uploadId, localPath, bytes, partBytes }, signal);
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    // 404: it is complete already, and the answer that said so was lost. Whether it is, is seen when it is read back.
    await ask({ method: 'POST', path, query: { uploadId }, body, expected: [404] }, signal);
  } catch (error) {
    // Parts of an upload that is given up are paid for until somebody removes them.
    await ask({ method: 'DELETE', path, query: { uploadId }, expected: [404] }, signal).catch(() => undefined);
    throw error;
  }
}

async function putParts(
  ask: S3Client,
  given: {
    readonly path: string;
    readonly uploadId: string;
    readonly localPath: string;
    readonly bytes: number;
    readonly partBytes: number;
  },
  signal: AbortSignal,
): Promise<string[]> {
  const { path, uploadId, localPath, bytes, partBytes } = given;
  const file = await open(localPath);
  try {
    const parts: string[] = [];
    for (let from = 0; from < bytes; from += partBytes) {
      const body = Buffer.alloc(Math.min(partBytes, bytes - from));
      await file.read(body, 0, body.byteLength, from);
      const partNumber = String(parts.length + 1);
      const { etag } = await ask({ method: 'PUT', path, query: { partNumber, uploadId }, body }, signal);
      parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${escaped(etag ?? '')}</ETag></Part>`);
    }
    return parts;
  } finally {
    await file.close();
  }
}
