import { closeSync, openSync, readSync } from 'node:fs';

/** Variables and secrets have a few hundred lines at most; whatever is larger was named by mistake. */
const mostBytes = 256 * 1024;

/** The text of a small file. Throws an error with the code `EFBIG`, and reads no further, where it is larger. */
export function readBounded(path: string): string {
  const bytes = Buffer.alloc(mostBytes + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length <= mostBytes; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length <= mostBytes) return bytes.toString('utf8', 0, length);
    throw Object.assign(new Error(`${path} is larger than ${mostBytes / 1024} KB`), { code: 'EFBIG' });
  } finally {
    closeSync(file);
  }
}
