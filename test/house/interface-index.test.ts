import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, root, unwrapped } from './source-files.ts';

const page = unwrapped(readText('test/house/interface-index.md'));

/** Items of each section; the last section, which requires nothing of a client, has no tests. */
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    name: text.split('\n')[0]!,
    rows: text.split('\n').filter((line) => line.startsWith('* ')),
  }));
const nothingAsked = 'Statements that ask nothing of a client';
const honoured = sections.filter(({ name }) => name !== nothingAsked);

describe('test/house/interface-index.md', () => {
  it('the index has every section of the specification, including those that ask nothing of a client', () => {
    expect(sections.map(({ name }) => name.split(':')[0])).toEqual([
      ...['1', '2.1', '2.2', '3', '4', '5', '6', '7', '8', '9'].map((number) => `Section ${number}`),
      nothingAsked,
    ]);
    expect(sections.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  it('the index names a file of the program and a test for every statement', () => {
    const bare = honoured.flatMap(({ rows }) =>
      rows.filter((row) => !/`(?:src|jobs)\/[^`]+`/.test(row) || testsIn(row).length === 0),
    );
    expect(bare).toEqual([]);
  });

  it('the index names only files that exist', () => {
    const files = [...page.matchAll(/`((?:src|jobs|test)\/[^`]+)`/g)].map((match) => match[1]!);
    expect([...new Set(files)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('the index names only tests that exist, by their titles', () => {
    const missing = testsIn(page).filter(({ file, title }) => !titlesOf(file).some((found) => found.includes(title)));
    expect(missing).toEqual([]);
  });

  it.each(['2.1', '3', '4', '5', '7', '8', '9'])('the index names a test that is named after section %s', (number) => {
    const { rows } = honoured.find(({ name }) => name.startsWith(`Section ${number}:`))!;
    const named = new RegExp(`\\bsections? ${number.replace('.', '\\.')}(?![.\\d]\\d)`);
    const titles = rows
      .flatMap(testsIn)
      .flatMap(({ file, title }) => titlesOf(file).filter((found) => found.includes(title)));
    expect(titles.filter((title) => named.test(title))).not.toEqual([]);
  });

  it('the check detects a missing test', () => {
    const file = 'test/house/interface-index.test.ts';
    expect(titlesOf(file)).toContain('the index names only files that exist');
    expect(titlesOf(file)).not.toContain('rows');
  });
});

/** `test/….test.ts` "a part of its title". */
function testsIn(text: string): { file: string; title: string }[] {
  return [...text.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)].map((match) => ({ file: match[1]!, title: match[2]! }));
}

/** First argument of each describe or test call; titles of tables keep their placeholders. */
function titlesOf(path: string): string[] {
  const calls = /(?:\b(?:describe|describeOnEachQueue|it|test)|[\])])\(\s*('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")/g;
  return [...readText(path).matchAll(calls)].map((match) => match[1]!.slice(1, -1).replace(/\\(.)/g, '$1'));
}
