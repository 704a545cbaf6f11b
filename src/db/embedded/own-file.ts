import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { EmbeddedServerFailed } from '../../base/errors.ts';
import type { ServerUser } from './server-user.ts';

/**
 * Opens a file in a folder of the server's user. That user could plant a link to a file of another user, so root does
 * not follow links, and changes the rights of the open file, not of a path.
 */
export function openOwn(path: string, flags: number, owner: ServerUser | null): number {
  const fd = openUnlinked(path, flags);
  const { nlink } = fstatSync(fd);
  if (nlink > 1) {
    closeSync(fd);
    throw refused(path);
  }
  if (owner) fchownSync(fd, owner.uid, owner.gid);
  return fd;
}

export function readOwn(path: string): Buffer {
  const fd = openUnlinked(path, constants.O_RDONLY);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a new file beside it, which cannot be a planted link, and renames it over whatever is there. */
export function replaceOwn(path: string, text: string, owner: ServerUser | null): void {
  const draft = draftOwn(path, text, owner);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A new file beside `path`, on the disk. Returns its path. */
export function draftOwn(path: string, text: string, owner: ServerUser | null): string {
  const draft = `${path}.${randomUUID()}`;
  const fd = openSync(draft, 'wx', 0o600);
  try {
    if (owner) fchownSync(fd, owner.uid, owner.gid);
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return draft;
}

/** A folder of this user, made when missing. */
export function makeOwnFolder(path: string, owner: ServerUser | null): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const fd = openUnlinked(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    if (owner && fstatSync(fd).uid !== owner.uid) fchownSync(fd, owner.uid, owner.gid);
  } finally {
    closeSync(fd);
  }
}

function openUnlinked(path: string, flags: number): number {
  try {
    // Windows knows no such flag, and no root.
    return openSync(path, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ELOOP' || code === 'EMLINK' || (code === 'ENOTDIR' && flags & constants.O_DIRECTORY)
      ? refused(path)
      : error;
  }
}

const refused = (path: string): Error =>
  new EmbeddedServerFailed(`${path} is a link, and could lead anywhere`, {
    advice: 'Put the file or folder itself in its place.',
  });
