import { createHash } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';

/** A night of two regions of 300,000 products leaves about 0.3 GB in the archive (docs/operate/night.md). */
const leastFreeBytes = 1_073_741_824;

/** Begins the subject of an alert that is about a folder: only who has that folder can see whether it is over. */
export const ofFolder = 'archive ';

/**
 * What an alert about the disk of this data folder is about: the same for all who share the folder, under whatever
 * name, and another one for the folder of another machine. Null: there is none here.
 */
export async function folderSubject(home: string): Promise<string | null> {
  try {
    const { ino, birthtimeNs } = await stat(home, { bigint: true });
    return ofFolder + createHash('sha256').update(`${ino} ${birthtimeNs}`).digest('hex').slice(0, 6);
  } catch {
    return null;
  }
}

/** The archive's disk is nearly full, or a server has told a run that it has no room. */
export async function roomConditions(sql: Askable, home: string, folder: string | null): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const free = folder === null ? null : await freeBytes(home);
  if (folder !== null && free !== null && free < leastFreeBytes) {
    conditions.push({
      kind: 'no_room',
      subject: folder,
      says: `The disk of PRICEBOOK_HOME (${home} on ${hostname()}) has ${Math.floor(free / 1_048_576)} MB left. When it is full, runs wait.`,
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
      says: 'A run waits, because a disk is full or the database cannot serve.',
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
    // There is no archive on this machine yet.
    return null;
  }
}
