import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compiledProgram } from '../../src/cli/compiled-program.js';
import { root as checkout } from '../house/source-files.ts';

describe('the program in one file', () => {
  const root = mkdtempSync(join(tmpdir(), 'pricebook-checkout-'));
  const folder = join(root, 'kept');
  const main = join(root, 'src', 'cli', 'main.ts');
  beforeAll(() => {
    for (const name of ['src/cli', 'jobs']) mkdirSync(join(root, name), { recursive: true });
    cpSync(join(checkout, 'package.json'), join(root, 'package.json'));
    symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(main, `export const said: string = 'first';\nexport const place = import.meta.url;\n`);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const run = (program: string) => {
    const loader = join(checkout, 'src/cli/run-compiled.js');
    const starter = `import { runCompiled } from '${loader}';\nrunCompiled('${program}');`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', starter], { encoding: 'utf8' });
  };
  const say = async () => ((await import((await compiledProgram({ root, folder }))!)) as { said: string }).said;

  test('a change, even with an older date, recompiles the program and deletes the old file', async () => {
    writeFileSync(main, `export const said: string = 'second, longer';\n`);
    utimesSync(main, new Date('2020-01-01'), new Date('2020-01-01'));
    expect(await say()).toBe('second, longer');
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('compiled modules find files beside their sources', async () => {
    writeFileSync(main, `export { place } from './other.ts';\n`);
    writeFileSync(join(root, 'src', 'cli', 'other.ts'), `export const place: string = import.meta.url;\n`);
    const { place } = (await import((await compiledProgram({ root, folder }))!)) as { place: string };
    expect(place).toMatch(/\/src\/cli\/other\.ts$/);
  });

  test('a regular expression matches a character that is not ASCII', async () => {
    writeFileSync(main, `console.log(/^\u20ac5$/.test(String.fromCharCode(0x20ac) + '5'));\n`);
    expect(run((await compiledProgram({ root, folder }))!)).toMatchObject({ status: 0, stdout: 'true\n' });
  });

  test('a later start loads what V8 compiled for the first, unless it is damaged', async () => {
    writeFileSync(main, `console.log('loaded');\n`);
    const program = (await compiledProgram({ root, folder }))!;
    const kept = `${program}.cache`;
    const written = () => ({ at: statSync(kept).mtimeMs, bytes: statSync(kept).size });
    expect(run(program)).toMatchObject({ status: 0, stdout: 'loaded\n' });
    const first = written();
    expect(run(program)).toMatchObject({ status: 0, stdout: 'loaded\n' });
    expect(written()).toEqual(first);
    for (const damaged of [Buffer.alloc(first.bytes), readFileSync(kept).subarray(0, 100), '']) {
      writeFileSync(kept, damaged);
      expect(run(program)).toMatchObject({ status: 0, stdout: 'loaded\n', stderr: '' });
      expect(written().bytes).toBeGreaterThan(100);
      expect(readFileSync(kept).equals(Buffer.alloc(first.bytes))).toBe(false);
    }
  });

  test('the whole program can be compiled', async () => {
    expect(await compiledProgram({ folder: join(root, 'whole') })).not.toBeNull();
  });
});
