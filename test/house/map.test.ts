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

describe('the ceilings of docs/contribute/house.md', () => {
  const rows = [...house.matchAll(/^\| (`[^|]+) \| ([\d,]+) \| [\d,]+ \|$/gm)];
  const ceilings = rows.map(([, places, number]) => ({ folders: named(places!), ceiling: whole(number!) }));

  it('the page has a ceiling for every room and for all of them', () => {
    const single = ceilings.filter(({ folders }) => folders.length === 1).flatMap(({ folders }) => folders);
    expect(single.sort()).toEqual([...rooms, 'src/simulator', 'test'].sort());
    expect(ceilings.some(({ folders }) => folders.join() === 'src,jobs')).toBe(true);
  });

  it.each(ceilings)('$folders has at most $ceiling lines', ({ folders, ceiling }) => {
    const files = folders.flatMap((folder) => filesBelow(folder, '.ts', '.tsx', '.js', '.sql', '.css'));
    const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    expect(lines).toBeLessThanOrEqual(ceiling);
  });

  it('the documentation has at most as many words as its ceiling', () => {
    const [, ceiling] = /ceiling of ([\d,]+) words/.exec(house) ?? [];
    const generated = /data-dictionary|commands|configuration|questions|contribute\/tables/;
    const pages = filesBelow('docs', '.md').filter(({ path }) => !generated.test(path));
    const words = pages.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
    expect(words).toBeLessThanOrEqual(whole(ceiling!));
  });
});

const whole = (number: string) => Number(number.replaceAll(',', ''));

describe('CONTRIBUTING.md and docs/contribute', () => {
  it('the pages name only files and folders that exist', () => {
    const pages = [readText('CONTRIBUTING.md'), ...filesBelow('docs/contribute', '.md').map(({ text }) => text)];
    expect(pages.flatMap(named).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
