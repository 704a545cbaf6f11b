import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokenPromises } from './read-lake.ts';

export interface Killing {
  /** Starts a process that exports nights to `lake`. */
  start(): { readonly process: ChildProcess; readonly ended: Promise<unknown> };
  readonly lake: string;
  /** Its data folder. */
  readonly home: string;
  readonly times: number;
  /** From 0 to 1. */
  random(): number;
  /** How long an export takes, about. */
  readonly spreadMs: number;
}

/**
 * Starts exports and kills each at a moment of its own; says what the manifest then names and is not there, and how
 * many were hit.
 */
export async function killExports({ start, lake, home, times, random, spreadMs }: Killing) {
  const broken: string[] = [];
  let killed = 0;
  for (let time = 0; time < times; time++) {
    // Half of the exports find the files of an interrupted one.
    if (time % 2 === 0) rmSync(lake, { recursive: true, force: true });
    rmSync(join(home, 'export'), { recursive: true, force: true });
    const { process: child, ended } = start();
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    // Its first sign of life; before it there is nothing to be cut off.
    while (!isOver && !existsSync(join(home, 'export'))) await sleep(2);
    await sleep(random() * spreadMs);
    if (!isOver) {
      child.kill('SIGKILL');
      killed += 1;
    }
    await ended;
    broken.push(...brokenPromises(lake));
  }
  return { broken, killed };
}
