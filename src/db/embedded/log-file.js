// @ts-check
import { chownSync, closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';

const rotateBytes = 10 * 1024 * 1024;

/**
 * Opens a log for appending, set aside as `.1` first when it has grown large.
 * @param {string} path
 * @param {{ uid: number, gid: number } | null} owner who the file shall belong to; null: the current user
 */
export function openLog(path, owner) {
  if (existsSync(path) && statSync(path).size > rotateBytes) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'a', 0o600);
  if (owner) chownSync(path, owner.uid, owner.gid);
  return { fd, startedAt: fstatSync(fd).size, close: () => closeSync(fd) };
}

/**
 * The complaints written to a log since `startedAt` (bytes), on one line; empty when there are none.
 * @param {string} path
 * @param {number} startedAt
 */
export function tailOf(path, startedAt) {
  const lines = readFileSync(path).subarray(startedAt).toString('utf8').split('\n');
  const complaints = lines.filter((line) => /FATAL|ERROR|HINT|PANIC|error while loading/.test(line));
  return complaints
    .slice(-3)
    .map((line) => line.replace(/^.*?(FATAL|ERROR|HINT|PANIC):\s*/, ''))
    .join(' ');
}
