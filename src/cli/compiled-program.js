// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';

const ownRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The program and its libraries as JavaScript, in a file for all commands and one for each. Loading a thousand files
 * one by one takes over a second of a processor, and ten seconds on a busy machine, before the first request goes out.
 * Made by the first start after a change and kept with the libraries. Null where it cannot be made or kept: the program
 * then runs from its sources.
 * @param {{ root?: string, folder?: string, entry?: string }} [places] the checkout, where the file is kept, and what is run
 * @returns {Promise<string | null>} the path of its first file
 */
export async function compiledProgram({
  root = ownRoot,
  folder = join(root, 'node_modules', '.cache', 'pricebook'),
  entry = 'src/cli/main.ts',
} = {}) {
  try {
    // Several checkouts may share their libraries.
    const prefix = `${hashOf(join(root, entry))}-`;
    const name = `${prefix}${fingerprintOf(root, dirname(entry))}`;
    if (!existsSync(join(folder, name))) {
      mkdirSync(folder, { recursive: true });
      await compileInto(join(folder, name), { root, entry });
      const outdated = readdirSync(folder).filter((other) => other.startsWith(prefix) && other !== name);
      for (const other of outdated) rmSync(join(folder, other), { recursive: true, force: true });
    }
    return join(folder, name, 'program.mjs');
  } catch {
    return null;
  }
}

/**
 * Of names, sizes and times of all files that go into it: whatever way a file came here, a different one has a
 * different mark.
 */
function fingerprintOf(/** @type {string} */ root, /** @type {string} */ around) {
  const installed = join('node_modules', '.package-lock.json');
  const sources = [...new Set(['src', 'jobs', around])].flatMap((name) => {
    const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  const marks = [join(root, installed), ...sources.sort()].map((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return `${path} ${found?.size} ${found?.mtimeMs}`;
  });
  return hashOf(marks.join('\n'));
}

/** Written beside and renamed: a start in the middle of it finds all of it or nothing. */
async function compileInto(
  /** @type {string} */ folder,
  /** @type {{ root: string, entry: string }} */ { root, entry },
) {
  const unfinished = `${folder}.${process.pid}`;
  try {
    await compile({ root, entry, folder: unfinished });
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another start was quicker.
    if (!existsSync(folder)) throw error;
  }
}

function hashOf(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
