import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** Several times the maximum size of the suite's databases and archives. */
const roomBytes = 4 * 1024 ** 3;

/** Where tests keep their files: in memory where there is room, for a database is some hundred of them. */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= roomBytes ? inMemory : tmpdir();
  } catch {
    return tmpdir();
  }
}
