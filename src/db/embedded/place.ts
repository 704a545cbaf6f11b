import { createHash, randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { EmbeddedServerFailed, HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Binaries, copyBinaries, findBinaries } from './binaries.ts';
import { canUse, postgresUser, type ServerUser } from './server-user.ts';

/** Where one embedded server lives, and as whom. */
export interface Place {
  /** Holds `data`, `password`, `port`, the settings and the logs; only of this home. A real path. */
  readonly folder: string;
  readonly binaries: Binaries;
  /** The user of the server, where root starts it; null: the current user. */
  readonly owner: ServerUser | null;
  readonly password: string;
}

/** Recovery after a crash replays at most `max_wal_size` of WAL; minutes on a slow disk. */
export const startLimitMs = 10 * 60_000;

export const dataOf = ({ folder }: Place): string => join(folder, 'data');
export const pidFileOf = (place: Place): string => join(dataOf(place), 'postmaster.pid');

/** Where data go that must outlive a reboot and that root's server user can reach (FHS; /var/tmp is swept by age). */
const sharedFolder = '/var/lib/pricebook';

/**
 * The place for the server of a home, made ready: folder, password and programs are there, all readable by its user.
 */
export function preparePlace(home: string): Place {
  try {
    makeFolder(home);
    const owner = process.getuid?.() === 0 ? postgresUser() : null;
    const isReachable = owner === null || canUse(owner, home);
    const folder = findPlaceFolder(home) ?? placeFolders(home)[isReachable ? 0 : 1];
    if (!isReachable) makeOpenFolder(sharedFolder);
    if (owner) makeOpenFolder(folder);
    else fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { folder, binaries: binariesFor(owner), owner, password: passwordIn(folder, owner) };
  } catch (error) {
    throw HomeUnusable.of(home, error) ?? error;
  }
}

/** The folder that holds the server's data of a home, or null when there is none yet. Makes nothing. */
export function findPlaceFolder(home: string): string | null {
  if (!fs.existsSync(home)) return null;
  return placeFolders(home).find((folder) => fs.existsSync(folder)) ?? null;
}

/** Inside the home, or outside if the server's user cannot enter the home. */
function placeFolders(home: string): [string, string] {
  const path = fs.realpathSync(home);
  return [join(path, 'postgres'), join(sharedFolder, createHash('sha256').update(path).digest('hex').slice(0, 16))];
}

function binariesFor(owner: ServerUser | null): Binaries {
  const found = findBinaries();
  if (owner === null || canUse(owner, join(found.folder, 'bin', 'postgres'))) return found;
  makeOpenFolder(sharedFolder);
  return copyBinaries(found, sharedFolder);
}

/**
 * Makes a folder that everybody can enter and only root can write, so that nobody can plant a link to a file of another
 * user. Its server owns `data` alone.
 */
function makeOpenFolder(path: string): void {
  fs.mkdirSync(path, { recursive: true });
  const status = fs.lstatSync(path);
  if (!status.isDirectory() || status.uid !== 0)
    throw new EmbeddedServerFailed(`${path} does not belong to root`, {
      advice: 'Run pricebook as the user who made it, or set PRICEBOOK_HOME to another folder.',
    });
  fs.chmodSync(path, 0o755);
}

/** The server's password, made on first use; `link` lets exactly one of two commands at once make it. */
function passwordIn(folder: string, owner: ServerUser | null): string {
  const path = join(folder, 'password');
  if (!fs.existsSync(path)) {
    const draft = `${path}.${randomUUID()}`;
    fs.writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    // Its user reads it when making the data.
    if (owner) fs.chownSync(draft, owner.uid, owner.gid);
    try {
      fs.linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(draft, { force: true });
    }
  }
  return fs.readFileSync(path, 'utf8').trim();
}

/** Address of a database of the server. */
export function urlOf({ password }: Place, port: number, name: string): string {
  return `postgres://pricebook:${password}@127.0.0.1:${port}/${name}?sslmode=disable`;
}

/** What the pid file says of a live process. A process of another user is no server of ours. */
export function readPidFile(place: Place): { text: string; pid: number; port: number } | null {
  try {
    const text = fs.readFileSync(pidFileOf(place), 'utf8');
    // miscinit.h: pid, data folder, start, port, socket folder, address, shared memory, status.
    const [pid, , , port] = text.split('\n').map(Number);
    return pid && port && process.kill(pid, 0) ? { text, pid, port } : null;
  } catch {
    return null;
  }
}
