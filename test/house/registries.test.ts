import { describe, expect, it } from 'vitest';
import { jobs } from '../../jobs/index.ts';
import { regionCodes } from '../../src/base/model/index.ts';
import { verbs } from '../../src/cli/program.ts';
import { catalogFiles } from '../../src/db/catalog/index.ts';
import { functionFiles } from '../../src/db/functions/index.ts';
import { viewFiles } from '../../src/db/views/index.ts';
import { questions } from '../../src/questions/index.ts';
import { endpoints } from '../../src/source/endpoints/index.ts';
import { listings } from '../../src/source/listings/index.ts';
import { codeOf, filesBelow, importsOf, readText } from './source-files.ts';

const nameOf = (path: string) => path.replace(/^.*\//, '').replace(/\.\w+$/, '');

describe('registries', () => {
  it('endpoints/index.ts lists every file that defines an endpoint', () => {
    const defining = filesBelow('src/source/endpoints', '.ts')
      .filter(({ path, text }) => nameOf(path) !== 'define-endpoint' && /\bdefineEndpoint\s*[(<]/.test(codeOf(text)))
      .map(({ path }) => path);
    expect(defining.length).toBeGreaterThan(0);
    expect(defining.filter((path) => !importedBy('src/source/endpoints/index.ts', path))).toEqual([]);
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
  });

  it('jobs/index.ts lists every file that defines a job, each named for its job', () => {
    const defining = filesBelow('jobs', '.ts').filter(
      ({ path, text }) => nameOf(path) !== 'context' && /\bdefineJob\s*[(<]/.test(codeOf(text)),
    );
    // A region's runs have a queue of their own.
    const names = defining.flatMap(({ path }) =>
      nameOf(path) === 'crawl-run' ? regionCodes.map((region) => `crawl-${region}`) : [nameOf(path)],
    );
    expect(jobs.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('listings/index.ts lists every listing', () => {
    const named = filesBelow('src/source/listings', '.ts')
      .filter(({ path, text }) => nameOf(path) !== 'listing' && /\bdefineListing\s*\(/.test(codeOf(text)))
      .map(({ path }) => nameOf(path));
    expect(
      Object.keys(listings)
        // Both property listings are defined in one file.
        .map((name) => name.replace(/_[12]$/, ''))
        .filter((name, index, all) => all.indexOf(name) === index)
        .sort(),
    ).toEqual(named.sort());
  });

  it('db/views/index.ts lists every view file once', () => {
    const files = filesBelow('src/db/views', '.sql').map(({ path }) => path.replace(/^.*\//, ''));
    expect([...viewFiles].sort()).toEqual(files.sort());
  });

  it('db/catalog/index.ts lists every file once', () => {
    const files = filesBelow('src/db/catalog', '.sql').map(({ path }) => path.replace(/^.*\//, ''));
    expect([...catalogFiles].sort()).toEqual(files.sort());
  });

  it('db/functions/index.ts lists every function file once', () => {
    const files = filesBelow('src/db/functions', '.sql').map(({ path }) => path.replace(/^.*\//, ''));
    expect([...functionFiles].sort()).toEqual(files.sort());
  });

  it('db/tables/index.ts exports every table file', () => {
    const index = readText('src/db/tables/index.ts');
    const files = filesBelow('src/db/tables', '.ts').map(({ path }) => nameOf(path));
    expect(files.filter((name) => name !== 'index' && !index.includes(`'./${name}.ts'`))).toEqual([]);
  });

  it('cli/program.ts lists every command, each named for its file or a question', () => {
    const files = filesBelow('src/cli/verbs', '.ts').map(({ path }) => nameOf(path));
    expect(new Set(verbs.map(({ name }) => name))).toEqual(new Set([...files, ...questions.map(({ name }) => name)]));
  });

  it('questions/index.ts loads every file that defines a question', () => {
    const index = readText('src/questions/index.ts');
    const defining = filesBelow('src/questions', '.ts').filter(({ text }) => /= defineQuestion\(/.test(text));
    expect(defining.filter(({ path }) => !index.includes(`'./${nameOf(path)}.ts'`))).toEqual([]);
    expect(defining).toHaveLength(questions.length);
  });
});

function importedBy(index: string, path: string): boolean {
  return importsOf({ path: index, text: readText(index) }).includes(path);
}
