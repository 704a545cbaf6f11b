import { statfs } from 'node:fs/promises';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Condition } from './condition.ts';

/** A night of two regions of 300,000 products leaves about 0.3 GB in the archive (docs/performance.md). */
const leastFreeBytes = 1_073_741_824;

/** The archive's disk is nearly full, or a server has told a run that it has no room. */
export async function roomConditions(sql: Askable, home: string): Promise<Condition[]> {
  const conditions: Condition[] = [];
  const free = await freeBytes(home);
  if (free !== null && free < leastFreeBytes) {
    conditions.push({
      kind: 'no_room',
      subject: 'archive',
      says: `The disk of PRICEBOOK_HOME has ${Math.floor(free / 1_048_576)} MB left. When it is full, runs wait.`,
      advice: 'Make room, or lower ARCHIVE_DAYS and run `pricebook prune`.',
    });
  }
  const [waiting] = await rowsOf<{ pausedFor: string }>(
    sql,
    `select paused_for as "pausedFor" from ops.run
     where status = 'open' and (paused_for like 'PostgreSQL cannot serve now%' or paused_for like 'There is no room left%')
     order by run_id limit 1`,
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
