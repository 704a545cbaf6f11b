import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { usePlayedBook } from '../docs/played-book.ts';
import { filesBelow, readText, root } from '../house/source-files.ts';

describe('the package that `npm pack` makes', () => {
  const book = usePlayedBook();
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-package-'));
  const home = join(folder, 'home');
  const unpacked = join(folder, 'package');
  let files: string[] = [];

  beforeAll(() => {
    // If root runs the tests, the server runs as another user who needs access.
    chmodSync(folder, 0o755);
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    });
    const [{ filename, files: listed }] = JSON.parse(packed.slice(packed.indexOf('['))) as [
      { filename: string; files: { path: string }[] },
    ];
    files = listed.map(({ path }) => path);
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
    // What an install would bring.
    symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  });
  afterAll(async () => {
    await removeEmbedded(join(home, 'demo'));
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(unpacked, 'dist', 'pricebook.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home },
      encoding: 'utf8',
    });

  test('the package contains the program as JavaScript and all files it reads', () => {
    expect(files.filter((path) => /\.[cm]?tsx?$/.test(path))).toEqual(['dist/book.d.mts']);
    const read = [...filesBelow('src', '.sql', '.css', '.js'), ...filesBelow('docs', '.md')].map(({ path }) => path);
    expect(read.filter((path) => !path.startsWith('src/cli/') && !files.includes(path))).toEqual([]);
    expect(files.filter((path) => /^(test|\.)/.test(path))).toEqual([]);
  });

  test('the package does not depend on a transpiler', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
    expect(Object.keys(dependencies).filter((name) => /tsx|esbuild|typescript|swc/.test(name))).toEqual([]);
  });

  test('the package prints help without loading the crawler', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('pricebook');
    const code = files.filter((path) => path.startsWith('dist/program') || path === 'dist/pricebook.js');
    expect(code.length).toBe(2);
    expect(peakMegabytes('--help')).toBeLessThan(70);
  });

  test('the package crawls a night into its own PostgreSQL and reads it', () => {
    const crawled = run('crawl', '--items', '60', '--region', 'uk', '--max-details', '5');
    expect(crawled.stdout + crawled.stderr).toContain('complete');
    expect(crawled.status).toBe(0);
    expect(existsSync(join(home, 'demo', 'archive'))).toBe(true);
    const asked = run('asof', '--region', 'uk', '--limit', '3', '--csv');
    expect(asked.status).toBe(0);
    expect(asked.stdout.trim().split('\n')).toHaveLength(4);
  });

  test('hints of the package name commands that it has', async () => {
    const starting = spawn(
      process.execPath,
      [join(unpacked, 'dist', 'pricebook.js'), 'start', '--nights', '1', '--items', '60'],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: join(folder, 'home'), PORT: '0' },
      },
    );
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const heard = (part: Buffer) => {
        text += part.toString();
        if (text.includes('Next steps') && text.includes('Status')) starting.kill('SIGTERM');
      };
      starting.stdout.on('data', heard);
      starting.stderr.on('data', heard);
      starting.on('close', () => resolve(text));
    });
    expect(said).toMatch(/Status +PRICEBOOK_HOME=\S+ pricebook status/);
    expect(said).not.toContain('npm run');
  });

  test('a TypeScript project of its own asks three questions through the library', async () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(unpacked, join(project, 'node_modules', 'pricebook'));
    const compilerOptions = { strict: true, target: 'ES2023', module: 'NodeNext', types: [] };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(
      join(project, 'ask.ts'),
      `import { openBook, type QuestionRow } from 'pricebook';
      declare const process: { readonly argv: string[]; readonly stdout: { write(text: string): void } };
      const book = await openBook({ databaseUrl: process.argv[2]! });
      let dearest = 0;
      for await (const { price } of book.asOf('uk', '2026-06-09')) dearest = Math.max(dearest, Number(price));
      const rises: QuestionRow<'movers'>[] = [];
      for await (const rise of book.ask('movers', { region: 'ie', direction: 'rises' })) rises.push(rise);
      const nights: string[] = [];
      for await (const row of book.ask('index', { region: 'uk', until: '2026-06-08' })) {
        const region: string = row.region;
        // @ts-expect-error an index may have no value
        const value: string = row.value;
        nights.push(row.period_start);
      }
      // @ts-expect-error there is no such question
      const wrong = await book.ask('weather', {}).next().catch((error: Error) => error.message);
      const invalid = await book.ask('changes', { since: 'June' }).next().catch((error: Error) => error.message);
      process.stdout.write(JSON.stringify({ dearest, rises: rises.length, nights, wrong, invalid }));
      await book.close();`,
    );
    const output = { cwd: project, encoding: 'utf8' } as const;
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(spawnSync(process.execPath, [compiler, '-p', project], output).stdout).toBe('');
    const { stdout, stderr } = spawnSync(process.execPath, [join(project, 'ask.js'), book.db.url], output);
    expect(stderr).toBe('');
    const [night] = await book.ask(`select max(price)::float8 as dearest from marts.as_of('uk', '2026-06-09')`);
    const rises = await book.run(['movers', '--region', 'ie', '--direction', 'rises', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      dearest: night!['dearest'],
      rises: JSON.parse(rises.stdout).rows.length,
      nights: ['2026-06-06', '2026-06-07', '2026-06-08'],
      wrong: 'There is no question “weather”.',
      invalid: '“since” must be a date such as 2026-03-01.',
    });
  });

  function peakMegabytes(...args: string[]): number {
    // Of this process since it began: its maximum by `resourceUsage` may be that of the process that started it.
    const measured = `import { existsSync, readFileSync } from 'node:fs';
      const inLinux = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
      process.on('exit', () => process.stderr.write(
        '\\npeak ' + (existsSync('/proc/self/status') ? inLinux() : process.resourceUsage().maxRSS)));`;
    const program = join(unpacked, 'dist', 'pricebook.js');
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(measured)}`, program, ...args],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] ?? '', PRICEBOOK_HOME: home },
      },
    );
    return Number(/peak (\d+)/.exec(stderr)![1]) / 1_024;
  }
});
