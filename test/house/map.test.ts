import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from './layer-map.ts';
import { readText, root } from './source-files.ts';

const house = readText('docs/contribute/house.md');
const named = (text: string) =>
  [...text.matchAll(/`((?:src|jobs|test|migrations)(?:\/[\w./-]*)?)`/g)].map((match) => match[1]!);

describe('docs/contribute/house.md', () => {
  const rows = house.split('\n').filter((line) => /^\| (\d+|apart) \|/.test(line));
  const folders = rows.map((row) => named(row));

  it('has every folder of src, and jobs, as a room', () => {
    const there = readdirSync(join(root, 'src')).map((name) => `src/${name}`);
    expect(folders.flat().sort()).toEqual([...there, 'jobs'].sort());
  });

  it('has the rooms that imports are held to', () => {
    expect(folders.slice(0, -1).flat()).toEqual(rooms);
  });

  it('and CONTRIBUTING name no file or folder that is not there', () => {
    const paths = [...named(house), ...named(readText('CONTRIBUTING.md'))];
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
