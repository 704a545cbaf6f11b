import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** The server's own process, as its data folder notes it. */
export function postmasterOf(dataFolder: string): number {
  return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Bytes of all databases whose name begins like this, beyond those of empty ones. */
export async function bytesOf(admin: pg.Client, name: string): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    `select sum(pg_database_size(datname) - pg_database_size('template1')) as bytes
     from pg_database where starts_with(datname, $1)`,
    [name],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Megabytes written ahead since the server was made. */
export async function walMbOf(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query("select (pg_current_wal_lsn() - '0/0')::float8 / 1e6 as mb");
  return rows[0].mb;
}

/** Processor time of the server and of all its processes, those that have ended included. */
export function cpuSecondsOf(postmaster: number): number {
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = running.map(timesOf).filter((times) => times?.parent === postmaster);
  const own = timesOf(String(postmaster));
  if (!own) throw new Error('The PostgreSQL server of the measurement has ended.');
  const ticks = children.reduce((sum, times) => sum + times!.own, own.own + own.ended);
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

/** Clock ticks from /proc; null when the process has ended. */
function timesOf(pid: string): { parent: number; own: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return null;
  }
}
