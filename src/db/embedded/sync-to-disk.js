// @ts-check
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A file's bytes, or the names in a folder, survive a power cut from here on.
 * @param {string} path
 */
export function syncToDisk(path) {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * All files and folders below one, and itself.
 * @param {string} folder
 */
export function syncAllToDisk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncAllToDisk(path);
    else if (entry.isFile()) syncToDisk(path);
  }
  syncToDisk(folder);
}
