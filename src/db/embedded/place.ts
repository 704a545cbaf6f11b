import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServerFailed, HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Binaries, copyBinaries, findBinaries, linkLibraries } from './binaries.ts';
import { draftOwn, makeOwnFolder, readOwn, replaceOwn } from './own-file.ts';
import { canUse, postgresUser, type ServerUser } from './server-user.ts';
import { syncToDisk } from './sync-to-disk.ts';

/** Where one embedded server lives, and as whom. */
export interface Place {
  /** Holds `data`, `password`, `port` and the logs; only of this home. A real path. */
  readonly folder: string;
  readonly binaries: Binaries;
  /** null: the current user. */
  readonly owner: ServerUser | null;
  readonly password: string;
}

/** Where data go that must outlive a reboot and that root's server user can reach (FHS; /var/tmp is swept by age). */
const sharedFolder = '/var/lib/pricebook';
const noteName = 'postgres-is-elsewhere.txt';

/**
 * The place for the server of a home, made ready: folder, password and programs are there, all readable by its user.
 */
export function preparePlace(home: string): Place {
  const isRoot = process.getuid?.() === 0;
  try {
    makeFolder(home);
    return isRoot ? placeForRoot(realpathSync(home)) : placeForUser(realpathSync(home));
  } catch (error) {
    throw HomeUnusable.of(home, error) ?? error;
  }
}

/** The folder that holds the server's data of a home, or null when there is none yet. Makes nothing. */
export function findPlaceFolder(home: string): string | null {
  if (!existsSync(home)) return null;
  const inside = join(realpathSync(home), 'postgres');
  const outside = folderOutside(realpathSync(home));
  return [inside, outside].find((folder) => existsSync(folder)) ?? null;
}

/** Forgets that the data of a home were kept elsewhere. */
export function removeNote(home: string): void {
  rmSync(join(home, noteName), { force: true });
}

function placeForUser(home: string): Place {
  const folder = join(home, 'postgres');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = findBinaries();
  const binaries = linkLibraries(found.folder) ? found : copyBinaries(found, home);
  return { folder, binaries, owner: null, password: passwordIn(folder, null) };
}

function placeForRoot(home: string): Place {
  const inside = join(home, 'postgres');
  // Data an ordinary user made are served as that user, so that he can go on with them afterwards.
  const madeBy = lstatSync(inside, { throwIfNoEntry: false });
  const owner = madeBy && madeBy.uid !== 0 ? { uid: madeBy.uid, gid: madeBy.gid } : postgresUser();

  const isReachable = canUse(owner, home);
  const folder = isReachable ? inside : folderOutside(home);
  if (!isReachable) {
    makeSharedFolder();
    replaceOwn(
      join(home, noteName),
      'PostgreSQL may not run as root, and its user cannot reach this folder.\n' +
        `The data are in ${folder}\n\`pricebook reset\` removes them.\n`,
      null,
    );
  }
  makeOwnFolder(folder, owner);

  const found = findBinaries();
  const isLinked = linkLibraries(found.folder);
  const isUsable = isLinked && canUse(owner, join(found.folder, 'bin', 'postgres')) && canUse(owner, found.folder);
  if (!isUsable) makeSharedFolder();
  const binaries = isUsable ? found : copyBinaries(found, sharedFolder);
  return { folder, binaries, owner, password: passwordIn(folder, owner) };
}

function folderOutside(home: string): string {
  return join(sharedFolder, createHash('sha256').update(home).digest('hex').slice(0, 16));
}

function makeSharedFolder(): void {
  mkdirSync(sharedFolder, { recursive: true });
  const { uid, mode } = lstatSync(sharedFolder);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    throw new EmbeddedServerFailed(`${sharedFolder} can be written by others than root`);
  }
  chmodSync(sharedFolder, 0o755);
}

/** The server's password, made on first use; `link` lets exactly one of two commands at once make it. */
function passwordIn(folder: string, owner: ServerUser | null): string {
  const path = join(folder, 'password');
  if (!existsSync(path)) {
    const draft = draftOwn(path, randomBytes(24).toString('base64url'), owner);
    try {
      linkSync(draft, path);
      syncToDisk(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readOwn(path).toString('utf8').trim();
}
