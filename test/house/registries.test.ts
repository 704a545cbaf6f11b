import { describe, expect, it } from 'vitest';
import { verbs } from '../../src/cli/program.ts';
import { questions } from '../../src/questions/index.ts';
import { codeOf, filesBelow, readText } from './source-files.ts';

const fileOf = (path: string) => path.replace(/^.*\//, '');
const nameOf = (path: string) => fileOf(path).replace(/\.\w+$/, '');

describe('registries', () => {
  it.each([
    ['src/source/endpoints', /export const \w+ = defineEndpoint\b|\bdefineEndpoint\s*[(<]/],
    ['src/questions', /= defineQuestion\(/],
    ['src/db/tables', /\.table\(|\.view\(|pgTable\(/],
    ['jobs', /\bdefine(Job|Step|Chore)\s*[(<]/],
  ])('%s/index.ts imports every file that defines an entry', (folder, defines) => {
    const index = readText(`${folder}/index.ts`);
    const files = filesBelow(folder, '.ts').filter(
      ({ path, text }) => !/define-|\/(index|context|listing|question)\.ts$/.test(path) && defines.test(codeOf(text)),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter(({ path }) => !index.includes(`'./${nameOf(path)}.ts'`)).map(({ path }) => path)).toEqual([]);
  });

  it('cli/program.ts lists every command, each named for its file or a question', () => {
    const files = filesBelow('src/cli/verbs', '.ts').map(({ path }) => nameOf(path));
    expect(new Set(verbs.map(({ name }) => name))).toEqual(new Set([...files, ...questions.map(({ name }) => name)]));
  });
});
