// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncToDisk } from './sync-to-disk.js';

/**
 * The data folder is there and of the right version, made by initdb when missing.
 * @param {{ folder: string, bin: string, majorVersion: string, spawning: import('node:child_process').SpawnOptions }} need
 */
export async function prepareData({ folder, bin, majorVersion, spawning }) {
  const data = join(folder, 'data');
  removeUnfinished(folder);
  if (existsSync(join(data, 'PG_VERSION'))) {
    const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
    if (found === majorVersion) return;
    throw new Error(`the data in ${data} belong to PostgreSQL ${found}, the program brings ${majorVersion}`);
  }
  if (existsSync(data)) throw new Error(`${data} exists but is no PostgreSQL data folder; move it away`);

  // Made beside and renamed: a kill in the middle leaves nothing that looks like data.
  // In a folder of this process: the initdb of a guardian that was killed may still be writing into its own.
  const fresh = join(folder, `data.new.${process.pid}`);
  const made = await run(spawning, join(bin, 'initdb'), [
    `--pgdata=${fresh}`,
    '--username=pricebook',
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider: case and order are the same on every machine and do not change with its libc.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  if (made.code !== 0) throw new Error(`initdb failed: ${made.output.trim().split('\n').slice(-4).join(' ')}`);
  renameSync(fresh, data);
  // initdb has synced what is in it; the night that is told to be published first must find it after a power cut.
  syncToDisk(folder);
}

/** @param {string} folder */
function removeUnfinished(folder) {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('data.new'))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // still being written by an initdb whose guardian is dead; next time
    }
  }
}

/**
 * @param {import('node:child_process').SpawnOptions} spawning
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(spawning, program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...spawning, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
