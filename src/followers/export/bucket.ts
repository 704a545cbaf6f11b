import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type BucketAccess, bucketLimits, openBucket, statusOf } from '../../base/bucket.ts';
import { readWhole } from '../../base/bucket-requests.ts';
import { type Destination, digestOf } from './destination.ts';

/** S3 requires parts of at least 5 MB, except the last, and at most 10,000 parts. */
const usualLimits = { ...bucketLimits, partBytes: 8 * 1024 * 1024 };
/** Well above a commit that replaces ten years of nights, about 5 MB. */
const longestText = 64 * 1024 * 1024;

/** A bucket of Amazon S3 or a compatible server. Throws `DestinationUnusable`. */
export function createBucket(to: string, access: BucketAccess, limits = usualLimits): Destination {
  const bucket = openBucket(to, access, limits);
  const { name, ask, read, write, remove } = bucket;

  return {
    name,
    remove,

    async put(file, localPath, signal) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      await ask(
        file,
        async (client, at) => {
          const params = { ...at, Body: createReadStream(localPath) };
          const upload = new Upload({ client, params, partSize: limits.partBytes, queueSize: 1 });
          const stop = () => void upload.abort();
          signal.addEventListener('abort', stop, { once: true });
          // A missing upload was completed, but its response was lost. Reading the file back verifies it.
          await upload
            .done()
            .catch((error: Error) => {
              if (error.name !== 'NoSuchUpload') throw error;
            })
            .finally(() => signal.removeEventListener('abort', stop));
        },
        signal,
      );
    },

    digest: (file, signal) => read(file, signal, digestOf),

    download: async (file, localPath, signal) =>
      (await read(file, signal, async (body) => {
        await pipeline(body, createWriteStream(localPath));
        return true;
      })) ?? false,

    readText: (file, signal) =>
      read(file, signal, async (body) => (await readWhole(body, longestText)).toString('utf8')),

    async writeNew(file, text, signal) {
      try {
        await write(file, text, signal, { IfNoneMatch: '*' });
      } catch (error) {
        const status = statusOf(error) ?? 0;
        if ([409, 412].includes(status)) return false;
        if (status !== 501) throw error;
        // The server does not support conditions; a lock serialises exports of one database anyway.
        await write(file, text, signal);
      }
      return true;
    },
  };
}
