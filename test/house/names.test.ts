import { describe, expect, it } from 'vitest';
import { filesBelow } from './source-files.ts';

/** Names that describe a place, not the content. */
const empty = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'lib', 'misc', 'manager', 'service']);

describe('names', () => {
  const paths = ['src', 'jobs', 'test'].flatMap((folder) => filesBelow(folder).map(({ path }) => path));

  it('file names are kebab-case', () => {
    const wrong = paths.filter((path) => !path.split('/').every((part) => /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(part)));
    expect(wrong).toEqual([]);
  });

  it('file names describe their contents', () => {
    const wrong = paths.filter((path) => path.split(/[/.-]/).some((word) => empty.has(word)));
    expect(wrong).toEqual([]);
  });
});
