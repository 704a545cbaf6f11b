import type { Destination } from '../destination.ts';
import type { BucketAddress } from './address.ts';
import { createS3Client, type S3Timing } from './client.ts';
import { putFile } from './put-file.ts';
import { textsOf } from './xml.ts';

export interface BucketOptions {
  readonly timing?: S3Timing;
  readonly partBytes?: number;
}

/** A bucket of Amazon S3 or of any server that speaks as it does. */
export function createBucket(address: BucketAddress, { timing, partBytes }: BucketOptions = {}): Destination {
  const ask = createS3Client(address, timing);
  const { prefix } = address;
  return {
    name: address.name,

    put: (path, file, signal) => putFile(ask, path, file, signal, partBytes),

    async digest(path, signal) {
      const { status, digest } = await ask({ method: 'GET', path, expected: [404], keepsText: false }, signal);
      return status === 404 ? null : digest;
    },

    async list(folder, signal) {
      const paths: string[] = [];
      let token: string | undefined;
      do {
        const query = {
          'list-type': '2',
          prefix: `${prefix}${folder}/`,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        };
        const { text } = await ask({ method: 'GET', path: '', query }, signal);
        paths.push(...textsOf(text, 'Key').map((key) => key.slice(prefix.length)));
        token = textsOf(text, 'NextContinuationToken')[0];
      } while (token !== undefined);
      return paths;
    },

    async remove(path, signal) {
      await ask({ method: 'DELETE', path, expected: [404] }, signal);
    },

    async readText(path, signal) {
      const { status, text, etag } = await ask({ method: 'GET', path, expected: [404] }, signal);
      return status === 404 ? null : { text, version: etag ?? '' };
    },

    async writeText(path, text, version, signal) {
      const condition = conditionOf(version);
      const put = { method: 'PUT', path, body: text } as const;
      const answer = await ask({ ...put, headers: condition, expected: [409, 412, 501] }, signal);
      // A server that knows no conditions: exports of one database wait for each other anyway.
      if (answer.status === 501) await ask(put, signal);
      return answer.status !== 409 && answer.status !== 412;
    },
  };
}

/** A server that gives no ETag can be held to none. */
function conditionOf(version: string | null): Record<string, string> {
  if (version === null) return { 'if-none-match': '*' };
  return version === '' ? {} : { 'if-match': version };
}
