import { describe, expect, it } from 'vitest';
import { codeOf, filesBelow, longLines, programFiles } from './source-files.ts';

describe('habits', () => {
  const program = programFiles().map(({ path, text }) => ({ path, code: codeOf(text) }));

  /** Files of the program in which a pattern occurs, outside comments and strings. */
  const using = (pattern: RegExp, ...except: string[]) =>
    program
      .filter(({ path, code }) => pattern.test(code) && !except.some((allowed) => path.startsWith(allowed)))
      .map(({ path }) => path);

  it('the program asks the clock, not the machine, for the time', () => {
    expect(using(/\bnew Date\(\s*\)|\bDate\.now\(/, 'src/base/clock.ts', 'src/simulator/')).toEqual([]);
  });

  it('the environment is read in one place', () => {
    // The line width is read before the configuration is loaded; an S3 client is kept from printing a warning.
    const places = ['config.ts', 'config/started-by-npm.ts'].map((file) => `src/app/${file}`);
    expect(using(/\bprocess\.env\b/, ...places, 'src/gateway/bucket.ts')).toEqual([]);
  });

  it('the program never waits for a queue to report a finished job, because the ledger knows', () => {
    expect(using(/\bwaitUntilFinished\b|\bQueueEvents\b/)).toEqual([]);
  });

  it('only the command line writes to stdout', () => {
    expect(using(/\bconsole\.\w+\(|\bprocess\.stdout\b/, 'src/cli/', 'src/simulator/')).toEqual([]);
  });

  it('there are no to-do notes and no disabled tests', () => {
    const later = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|${'X'.repeat(3)})\\b`);
    const files = ['src', 'jobs', 'migrations', 'test', 'docs'].flatMap((folder) =>
      filesBelow(folder, '.ts', '.js', '.sql', '.md'),
    );
    expect(files.filter(({ text }) => later.test(text)).map(({ path }) => path)).toEqual([]);
    const tests = files.filter(({ path }) => path.endsWith('.test.ts'));
    expect(tests.filter(({ text }) => /\.(only|skip)\(/.test(codeOf(text))).map(({ path }) => path)).toEqual([]);
  });

  it('no test asserts elapsed time: `npm run bench` and `npm run prove -- --profile faults` report it', () => {
    const measuring = filesBelow('test', '.test.ts').filter(({ text }) =>
      /\bperformance\.|\bDate\.now\(|\bhrtime\b|\bconsole\.time|\bnew Date\(\s*\)\s*(?:\.getTime\(|-)/.test(
        codeOf(text),
      ),
    );
    expect(measuring.map(({ path }) => path)).toEqual([]);
  });

  it('tests draw random numbers from a seed only, so that failures can be repeated', () => {
    const drawing = filesBelow('test', '.ts').filter(({ text }) => /\bMath\.random\b/.test(codeOf(text)));
    expect(drawing.map(({ path }) => path)).toEqual([]);
  });

  it('no line of code or SQL has more than 120 characters', () => {
    const files = ['src', 'jobs', 'migrations', 'build', 'test', 'integrations'].flatMap((folder) =>
      filesBelow(folder, '.ts', '.tsx', '.js', '.sql'),
    );
    expect(files.flatMap(longLines)).toEqual([]);
  });

  it('the check sees code and not comments or strings', () => {
    expect(codeOf(`const a = 'new Date()'; // Date.now()\n/* process.env */ b("x \\" y");`)).toBe(
      `const a = ''; \n b('');`,
    );
    expect(codeOf(`fetch(\`https://x\`) // gone`)).toBe('fetch(`https://x`) ');
  });
});
