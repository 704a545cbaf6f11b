import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = ['dlt[postgres]==1.31.0', 'scrapy==2.19.0', 'crawlee==1.11.0', 'psycopg[binary]==3.3.9'];

/** Not in the way of anything: `npm ci` removes it. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/peers', import.meta.url));

/**
 * Path of a Python that has the peers' packages, installed from PyPI where they are missing; otherwise the reason why
 * not.
 */
export function findPython(): { readonly python: string } | { readonly missing: string } {
  const { status } = spawnSync('python3', ['-m', 'venv', '--help'], { stdio: 'ignore' });
  if (status !== 0) return { missing: 'python3 with the module venv is not installed' };
  const python = join(folder, 'bin/python');
  try {
    if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe' });
    const installed = execFileSync(python, ['-m', 'pip', 'freeze'], { encoding: 'utf8' });
    if (!packages.every((each) => installed.toLowerCase().includes(each.replace(/\[.*?\]/, '')))) {
      execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages], { stdio: 'pipe' });
    }
    return { python };
  } catch (error) {
    return { missing: `the packages from PyPI cannot be installed (${(error as Error).message.split('\n')[0]})` };
  }
}
