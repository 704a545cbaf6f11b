import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root as checkout } from '../house/source-files.ts';
import { useFolder } from '../support/folder.ts';

describe('the start of the program', () => {
  const root = useFolder('checkout');
  const main = join(root, 'src', 'cli', 'main.ts');
  beforeAll(() => {
    for (const name of ['src/cli', 'jobs', 'node_modules']) mkdirSync(join(root, name), { recursive: true });
    for (const name of ['package.json', 'src/cli/pricebook.js', 'src/cli/bundle.js', 'src/cli/engine-settings.js'])
      cpSync(join(checkout, name), join(root, name));
    for (const name of ['esbuild', '@esbuild', 'tsx', 'get-tsconfig', 'resolve-pkg-maps'])
      symlinkSync(join(checkout, 'node_modules', name), join(root, 'node_modules', name));
    writeFileSync(join(root, 'tsconfig.json'), '{}');
  });

  const start = () => spawnSync(process.execPath, [join(root, 'src/cli/pricebook.js')], { encoding: 'utf8' });

  test('a changed source is what runs, even if its date is older than that of the bundle', () => {
    writeFileSync(main, `const said: string = 'first';\nconsole.log(said);\n`);
    expect(start()).toMatchObject({ status: 0, stdout: 'first\n' });
    writeFileSync(main, `const said: string = 'second';\nconsole.log(said);\n`);
    utimesSync(main, new Date('2020-01-01'), new Date('2020-01-01'));
    expect(start()).toMatchObject({ status: 0, stdout: 'second\n' });
  });

  test('a source finds what lies beside it', () => {
    writeFileSync(main, `import './other.ts';\n`);
    writeFileSync(join(root, 'src', 'cli', 'other.ts'), `console.log(new URL('x.sql', import.meta.url).pathname);\n`);
    expect(start()).toMatchObject({ status: 0, stdout: `${join(root, 'src/cli/x.sql')}\n` });
  });

  test('the sources run where no bundle can be kept', () => {
    rmSync(join(root, 'node_modules', '.cache'), { recursive: true, force: true });
    writeFileSync(join(root, 'node_modules', '.cache'), 'a file, not a folder');
    writeFileSync(main, `const said: string = 'from the source';\nconsole.log(said);\n`);
    expect(start()).toMatchObject({ status: 0, stdout: 'from the source\n' });
  });
});
