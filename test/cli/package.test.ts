import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { filesBelow, root } from '../house/source-files.ts';
import { useFolder } from '../support/folder.ts';

describe('the package that `npm pack` makes', () => {
  const folder = useFolder('package');
  const home = join(folder, 'home');
  const unpacked = join(folder, 'package');
  let files: string[] = [];

  beforeAll(() => {
    // If root runs the tests, the server runs as another user who needs access.
    chmodSync(folder, 0o755);
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const [{ filename, files: listed }] = JSON.parse(packed.slice(packed.indexOf('['))) as [
      { filename: string; files: { path: string }[] },
    ];
    files = listed.map(({ path }) => path);
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
    // What an install would bring.
    symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  });
  afterAll(() => removeEmbedded(join(home, 'demo')));

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(unpacked, 'dist', 'pricebook.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home },
      encoding: 'utf8',
    });

  test('the package contains the program as JavaScript and all files it reads', () => {
    expect(files.filter((path) => /\.[cm]?tsx?$/.test(path))).toEqual([]);
    const read = [...filesBelow('src', '.sql', '.css', '.js'), ...filesBelow('docs', '.md')].map(({ path }) => path);
    expect(read.filter((path) => !path.startsWith('src/cli/') && !files.includes(path))).toEqual([]);
    expect(files.filter((path) => /^(test|\.)/.test(path))).toEqual([]);
  });

  test('the package is one program that prints help', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('pricebook');
    const code = files.filter((path) => path.startsWith('dist/program') || path === 'dist/pricebook.js');
    expect(code.length).toBe(2);
  });

  test('the package crawls a night into its own PostgreSQL and reads it', () => {
    const crawled = run('crawl', '--items', '60', '--region', 'uk', '--max-details', '5');
    expect(crawled.stdout + crawled.stderr).toContain('complete');
    expect(crawled.status).toBe(0);
    expect(existsSync(join(home, 'demo', 'archive'))).toBe(true);
    const asked = run('asof', '--region', 'uk', '--limit', '3', '--csv');
    expect(asked.status).toBe(0);
    expect(asked.stdout.trim().split('\n')).toHaveLength(4);
  });
});
