import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few kilobytes that fills up, and can be given room. */
export interface SmallDisk {
  makeRoom(megabytes?: number): void;
  unmount(): void;
}

/** Mounts one on an empty folder; null where one lacks the right to. */
export function mountSmallDisk(folder: string, kilobytes: number): SmallDisk | null {
  if (!mount(folder, '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs')) return null;
  return {
    makeRoom: (megabytes = 64) => void mount(folder, '-o', `remount,size=${megabytes}m`),
    // Retries while an ended process still releases it.
    unmount: () => void spawnSync('umount', ['--lazy', folder]),
  };
}

/** Whether tests of full disks can run here. */
export const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-mount-'));
  const disk = mountSmallDisk(folder, 64);
  disk?.unmount();
  rmSync(folder, { recursive: true });
  return disk !== null;
})();

function mount(folder: string, ...options: readonly string[]): boolean {
  return spawnSync('mount', [...options, folder]).status === 0;
}
