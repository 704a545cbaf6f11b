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

  it('only the command line writes to stdout', () => {
    expect(using(/\bconsole\.\w+\(|\bprocess\.stdout\b/, 'src/cli/', 'src/simulator/')).toEqual([]);
  });

  it('statements name their columns in snake case: `camelRows` and the query builder name those of rows', () => {
    const files = ['src', 'jobs', 'test'].flatMap((folder) => filesBelow(folder, '.ts', '.tsx', '.sql'));
    expect(files.filter(({ text }) => /as "[a-z]+[A-Z]/.test(text)).map(({ path }) => path)).toEqual([]);
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

  it('no test asserts elapsed time: `npm run bench` reports it', () => {
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

  it('statements of the rooms that people talk to take values as parameters, through `sql` or `$1`', () => {
    // Constants, names of our own columns, and conditions that are whole statements of the program.
    const composed = ['certificates', 'plan', 'progress', 'status'].map((name) => `src/questions/${name}.ts`);
    const known = [...composed, 'src/cli/show-progress.ts', 'src/cli/verbs/reset.ts'];
    const statement =
      /(?<!\bsql)`\s*(?:select|insert into|update|delete from|drop|copy|with \w+ as)\b(?:[^`\\]|\\.)*?\$\{/;
    const found = programFiles().filter(
      ({ path, text }) => /^src\/(questions|web|cli)\//.test(path) && statement.test(text),
    );
    expect(found.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([]);
  });
});
