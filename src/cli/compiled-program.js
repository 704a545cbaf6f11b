// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.js';

const ownRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The program and its libraries as JavaScript, in one file. Loading a thousand files takes over a second of CPU time,
 * and ten seconds on a busy machine. Compiled at the first start after a change and kept in node_modules. Null if
 * it cannot be compiled or kept: the program then runs from its sources.
 * @param {{ root?: string, folder?: string, entry?: string }} [places] the checkout, the folder of the compiled file,
 * and the entry point
 * @returns {Promise<string | null>} path of the compiled entry point
 */
export async function compiledProgram({
  root = ownRoot,
  folder = join(root, 'node_modules', '.cache', 'pricebook'),
  entry = 'src/cli/main.ts',
} = {}) {
  try {
    // Several checkouts may share one node_modules.
    const prefix = `${hashOf(join(root, entry))}-`;
    const name = `${prefix}${fingerprintOf(root, dirname(entry))}`;
    if (!existsSync(join(folder, name))) {
      mkdirSync(folder, { recursive: true });
      await compileInto(join(folder, name), { root, entry });
      const outdated = readdirSync(folder).filter((other) => other.startsWith(prefix) && other !== name);
      for (const other of outdated) rmSync(join(folder, other), { recursive: true, force: true });
    }
    return join(folder, name, 'program.cjs');
  } catch {
    return null;
  }
}

/** Hash of names, sizes and times of all input files; any changed file changes it. */
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

/** Compiles into a temporary folder and renames it, so that a concurrent start sees a complete folder or none. */
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
    // A concurrent start finished first.
    if (!existsSync(folder)) throw error;
  }
}

function hashOf(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
