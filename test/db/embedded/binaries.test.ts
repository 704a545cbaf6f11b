import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyBinaries, linkLibraries } from '../../../src/db/embedded/binaries.ts';

describe('the programs of the embedded server', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'binaries-'));
    folder = join(root, 'native');
    mkdirSync(join(folder, 'lib'), { recursive: true });
    writeFileSync(join(folder, 'lib', 'libfruit.so.1.2'), 'a library');
    writeFileSync(
      join(folder, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libfruit.so.1.2', target: 'native/lib/libfruit.so.1' }]),
    );
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('library links that a blocked install script did not create are created', () => {
    linkLibraries(folder);
    expect(readFileSync(join(folder, 'lib', 'libfruit.so.1'), 'utf8')).toBe('a library');
    linkLibraries(folder);
  });

  it('the programs are copied once and completely, with links, by concurrent processes', () => {
    const parent = join(root, 'elsewhere');
    mkdirSync(parent);
    linkLibraries(folder);
    const copy = copyBinaries({ folder, version: '18.0' }, parent);
    expect(copyBinaries({ folder, version: '18.0' }, parent)).toEqual(copy);
    expect(readdirSync(parent)).toEqual(['postgresql-18.0']);
    const link = join(copy.folder, 'lib', 'libfruit.so.1');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(link, 'utf8')).toBe('a library');
  });
});
