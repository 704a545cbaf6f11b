// @ts-check
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Runs a compiled program. The first run keeps the functions as V8 compiled them beside the program, so that later ones
 * load in half the time.
 * @param {string} path of the compiled program
 */
export function runCompiled(path) {
  const kept = `${path}.cache`;
  // The compiler writes ASCII, except within regular expressions and raw templates.
  const text = readFileSync(path, 'utf8');
  const cachedData = readIfAny(kept);
  const script = new Script(`(function (require, module, exports, __filename, __dirname) {${text}\n})`, {
    filename: path,
    ...(cachedData ? { cachedData } : {}),
  });
  // Another version of Node or other settings of V8 reject what was kept.
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => keep(kept, script.createCachedData()));
  const module = { exports: {} };
  script.runInThisContext()(createRequire(path), module, module.exports, path, dirname(path));
}

function readIfAny(/** @type {string} */ path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Renames a complete and synced file, because V8 does not notice that a part is missing. */
function keep(/** @type {string} */ path, /** @type {Buffer} */ data) {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, data, { flush: true });
    renameSync(unfinished, path);
  } catch {
    // Loading stays slower.
    rmSync(unfinished, { force: true });
  }
}
