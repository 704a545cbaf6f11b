import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../house/source-files.ts';
import { anyText, wholeNumber, wholeNumbers } from './program-options.ts';

/** A program of a line, whose options are read as those of every program under npm run. */
const source = `
  import { oneOf, programOptions, wholeNumber } from './test/support/program-options.ts';
  const values = programOptions('example', {
    times: wholeNumber(50), seed: wholeNumber(1), queue: oneOf(['postgres', 'redis'], 'postgres'), parallel: wholeNumber(2),
  });
  console.log(JSON.stringify(values));`;
const worlds = (...args: string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source, '--', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const usage = 'usage: npm run example -- [--times N] [--seed N] [--queue postgres|redis] [--parallel N]\n';

describe('a program under npm run', { timeout: 60_000 }, () => {
  test.each([
    ['--times', 'many', '--times cannot be "many".'],
    ['--times', '0', '--times cannot be "0".'],
    ['--queue', 'rediss', '--queue cannot be "rediss".'],
    ['--schedules', '3', "Unknown option '--schedules'"],
  ])('refuses %s %s, and says what it takes', (option, value, why) => {
    const { status, stdout, stderr } = worlds(option, value);
    expect(stderr).toBe(`${why}\n${usage}`);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test('shows its usage, or is told what it was given', () => {
    expect(worlds('--help')).toMatchObject({ status: 0, stdout: usage, stderr: '' });
    expect(JSON.parse(worlds('--queue', 'redis', '--times', '7').stdout)).toEqual({
      times: 7,
      seed: 1,
      queue: 'redis',
      parallel: 2,
    });
  });

  test('reads its options here, every one of them', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const programs = Object.entries(scripts).flatMap(([name, script]) => {
      const path = /^node --import tsx (test\/\S+)$/.exec(script)?.[1];
      return path === undefined ? [] : [{ name, code: readFileSync(join(root, path), 'utf8') }];
    });
    expect(programs.length).toBeGreaterThan(3);
    for (const { name, code } of programs) {
      if (name === 'samples') continue; // It takes none.
      expect(code, name).toContain(`programOptions('${name}', {`);
    }
  });
});

test('whole numbers are digits alone, and no less than they may be', () => {
  expect(['1', '012', '0', '-1', '1.5', '1e3', '', ' 1', '99999999999'].map(wholeNumber(1).read)).toEqual([
    1,
    12,
    ...Array<null>(7).fill(null),
  ]);
  expect(wholeNumber(1, 0).read('0')).toBe(0);
  expect(wholeNumbers().read('1,2,8')).toEqual([1, 2, 8]);
  expect(wholeNumbers().read('1,,8')).toBeNull();
  expect(anyText('FOLDER').read('')).toBeNull();
});
