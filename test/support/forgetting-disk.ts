import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A disk that can lose power: unsynced data are lost. */
export interface ForgettingDisk {
  readonly folder: string;
  /** Cuts the power: kills every process that uses the disk and restores the synced data. */
  cutPower(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * An ext4 file system in a file of an XFS one, which can copy that file at an instant. What programs have written and
 * nobody has synced is in the memory of the ext4 and not in its file, so the copy is what a power cut leaves. Throws
 * where one may not mount.
 */
export function openForgettingDisk(): ForgettingDisk {
  const base = mkdtempSync(join(tmpdir(), 'pricebook-disk-'));
  const [outer, folder] = [join(base, 'outer'), join(base, 'disk')];
  const [image, copy] = [join(outer, 'disk.img'), join(outer, 'copy.img')];
  for (const place of [base, outer, folder]) {
    mkdirSync(place, { recursive: true });
    // The embedded server runs as another user.
    chmodSync(place, 0o755);
  }
  try {
    run('truncate', '-s', '3G', join(base, 'outer.img'));
    run('mkfs.xfs', '-q', '-m', 'reflink=1', join(base, 'outer.img'));
    run('mount', '-o', 'loop', join(base, 'outer.img'), outer);
    run('truncate', '-s', '1G', image);
    run('mkfs.ext4', '-q', image);
    run('mount', '-o', 'loop', image, folder);
    chmodSync(folder, 0o755);
  } catch (error) {
    dismantle();
    throw error;
  }

  return {
    folder,
    async cutPower() {
      run('cp', '--reflink=always', image, copy);
      await empty(folder);
      renameSync(copy, image);
      run('mount', '-o', 'loop', image, folder);
    },
    async remove() {
      await empty(folder);
      dismantle();
    },
  };

  function dismantle(): void {
    for (const place of [folder, outer]) spawnSync('umount', ['--lazy', place]);
    rmSync(base, { recursive: true, force: true });
  }
}

/** Whether there is one here: it takes the right to mount, and Debian's xfsprogs. */
export const canForget = await (async () => {
  try {
    await openForgettingDisk().remove();
    return true;
  } catch {
    return false;
  }
})();

/** Unmounts a folder after all processes that use it have ended. */
async function empty(folder: string): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    for (const pid of processesIn(folder)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just died.
      }
    }
    if (spawnSync('umount', [folder]).status === 0) return;
    await sleep(50);
  }
  throw new Error(`${folder} is still in use`);
}

function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function run(command: string, ...args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
}
