import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, readText, root, type SourceFile } from '../house/source-files.ts';
import { filesOn, ways } from './ways.ts';

/** One line of the table. */
export interface Size {
  readonly what: string;
  readonly value: string;
}

/** Sizes of the program, counted from its files. `listed` also lists the files of each way. */
export function sizes({ listed }: { readonly listed: boolean }): Size[] {
  const program = [...filesBelow('src'), ...filesBelow('jobs')];
  const tests = filesBelow('test', '.ts', '.tsx');
  const docs = filesBelow('docs', '.md');
  const everything = [...program, ...filesBelow('migrations', '.sql'), ...tests, ...docs, ...topLevelDocs()];
  return [
    ...languages.map(([name, ...endings]) => lines(`src and jobs, ${name}`, endingWith(program, endings))),
    lines(
      'src and jobs, all of these',
      endingWith(
        program,
        languages.flatMap(([, ...endings]) => endings),
      ),
    ),
    lines(
      'src, without the simulator',
      program.filter(({ path }) => !path.startsWith('src/simulator/')),
    ),
    lines('migrations, generated from the tables but for storage and regions', filesBelow('migrations', '.sql')),
    lines('tests', tests),
    { what: 'entries at the top of src', value: entriesOf('src') },
    ...ways.flatMap((way) => {
      const files = filesOn(way, program);
      return [lines(way.name, files), ...(listed ? files.map((file) => lines(`    ${file.path}`, [file])) : [])];
    }),
    ...['.ts', '.tsx', '.sql', '.md'].map((ending) => ({
      what: `lines over ${longest} characters, ${ending}`,
      value: number(endingWith(everything, [ending]).flatMap(longLines).length),
    })),
    { what: "places that say status = 'published'", value: number(count(program, /status\s*=\s*'published'/g)) },
    { what: 'environment variables', value: number(count([docAt('docs/operate/configuration.md')], /^\* `[A-Z]/gm)) },
    ...partsOf(docs).map(([part, files]) => words(part, files)),
    words('all of them', [...topLevelDocs(), ...docs]),
  ];
}

const languages = [
  ['TypeScript', '.ts', '.tsx'],
  ['JavaScript', '.js'],
  ['SQL', '.sql'],
  ['CSS', '.css'],
] as const;

/** Characters a line may have; Biome formats TypeScript to it. */
const longest = 120;

function lines(what: string, files: readonly SourceFile[]): Size {
  const total = files.reduce((sum, { text }) => sum + linesOf(text).length, 0);
  return { what, value: files.length === 1 ? number(total) : `${number(files.length)} files, ${number(total)} lines` };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function longLines({ text }: SourceFile): string[] {
  return linesOf(text).filter((line) => line.length > longest);
}

function endingWith(files: readonly SourceFile[], endings: readonly string[]): SourceFile[] {
  return files.filter(({ path }) => endings.some((ending) => path.endsWith(ending)));
}

function count(files: readonly SourceFile[], pattern: RegExp): number {
  return files.reduce((sum, { text }) => sum + [...text.matchAll(pattern)].length, 0);
}

function entriesOf(folder: string): string {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).length;
  return `${folders} folders, ${entries.length - folders} files`;
}

function topLevelDocs(): SourceFile[] {
  return readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map(docAt);
}

function docAt(path: string): SourceFile {
  return { path, text: readText(path) };
}

/** Documents at the top, those in `docs` itself, and those in each of its folders. */
function partsOf(docs: readonly SourceFile[]): [string, SourceFile[]][] {
  const parts = new Map<string, SourceFile[]>(topLevelDocs().map((file) => [file.path, [file]]));
  for (const file of docs) {
    const part = file.path.split('/').slice(0, -1).slice(0, 2).join('/');
    parts.set(part, [...(parts.get(part) ?? []), file]);
  }
  return [...parts];
}

function words(what: string, files: readonly SourceFile[]): Size {
  return { what: `words, ${what}`, value: number(count(files, /\S+/g)) };
}

function number(value: number): string {
  return value.toLocaleString('en-GB');
}
