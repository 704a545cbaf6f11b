import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';

/**
 * Space for a few nights: one night of two regions with 300,000 products needs about 0.3 GB (docs/operate/night.md).
 */
const leastFreeBytes = 1_073_741_824;

/** Prefix of subjects about a folder: only processes that see the folder can end the alert. */
export const ofFolder = 'archive ';

/** Subject of alerts about the disk of this data folder on this machine. */
export const folderSubject = (home: string): string => `${ofFolder}${hostname()} ${home}`;

/** Conditions: the archive's disk is nearly full, or a run waits because a server stores nothing. */
export async function roomConditions(sql: Queryable, home: string): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const free = await freeBytes(home);
  if (free !== null && free < leastFreeBytes) {
    conditions.push({
      kind: 'no_room',
      subject: folderSubject(home),
      says:
        `The disk of PRICEBOOK_HOME (${home} on ${hostname()}) has ${Math.floor(free / 1_048_576)} MB left. ` +
        'Runs wait when it is full.',
      advice: 'Make room, or lower ARCHIVE_DAYS and run `pricebook prune`.',
    });
  }
  const [waiting] = await rowsOf<{ pausedFor: string }>(
    sql,
    `select detail as "pausedFor" from ops.stop where scope = 'run' and reason = 'room' order by since limit 1`,
  );
  if (waiting) {
    conditions.push({
      kind: 'no_room',
      subject: 'run',
      says: 'A run waits, because a disk is full, the archive cannot be written, or the database is out of resources.',
      advice: waiting.pausedFor,
    });
  }
  return conditions;
}

async function freeBytes(home: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(home);
    return bavail * bsize;
  } catch {
    // The archive does not exist on this machine yet.
    return null;
  }
}
