import { describe, expect, it } from 'vitest';
import { readViewSources } from '../../src/db/apply-views.ts';
import { viewsVersion } from '../../src/db/views/version.ts';
import { readText } from './source-files.ts';

const versions = 'test/house/views-versions.txt';

describe(versions, () => {
  const lines = readText(versions).trim().split('\n');

  it('has the views of now in its last line: a change of them raises viewsVersion and adds a line', () => {
    expect(lines.at(-1)).toBe(`${viewsVersion} ${readViewSources().hash}`);
  });

  it('counts up', () => {
    expect(lines.map((line) => Number(line.split(' ')[0]))).toEqual(lines.map((_, n) => n + 1));
  });
});
