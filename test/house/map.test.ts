import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from './layer-map.ts';
import { filesBelow, readText, root } from './source-files.ts';

const house = readText('docs/contribute/house.md');
const named = (text: string) => [...text.matchAll(/`((?:src|jobs|test)(?:\/[\w./-]*)?)`/g)].map((match) => match[1]!);

describe('docs/contribute/house.md', () => {
  const rows = house.split('\n').filter((line) => /^\| (\d+|apart) \|/.test(line));
  const folders = rows.map((row) => named(row));

  it('the page has every folder of src, and jobs, as a room', () => {
    const there = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
    expect(folders.flat().sort()).toEqual([...there, 'jobs'].sort());
  });

  it('the page has the same rooms as the rule for imports', () => {
    expect(folders.slice(0, -1).flat()).toEqual(rooms);
  });
});

describe('CONTRIBUTING.md and docs/contribute', () => {
  it('the pages name only files and folders that exist', () => {
    const pages = [readText('CONTRIBUTING.md'), ...filesBelow('docs/contribute', '.md').map(({ text }) => text)];
    expect(pages.flatMap(named).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
