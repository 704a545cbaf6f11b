import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the repository: its path from the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every file below a folder of the repository whose name ends as given; none when the folder is not there. */
export function filesBelow(folder: string, ...endings: string[]): SourceFile[] {
  return namesBelow(folder)
    .filter((path) => endings.length === 0 || endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: readText(path) }));
}

/** The code of the program: `src` and `jobs`. */
export function programFiles(): SourceFile[] {
  return [...filesBelow('src', '.ts', '.tsx', '.js'), ...filesBelow('jobs', '.ts')];
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Lines of more than 120 characters, as path:line. */
export function longLines({ path, text }: SourceFile): string[] {
  return text.split('\n').flatMap((line, index) => ([...line].length > 120 ? [`${path}:${index + 1}`] : []));
}

/** Paths of our own files that a file imports, types included. */
export function importsOf({ path, text }: SourceFile): string[] {
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return specifiers.map((specifier) => normalize(join(dirname(path), specifier)).replaceAll(sep, '/'));
}

/** The text without comments and strings, for rules about what the code does. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, (found) =>
    found.startsWith("'") || found.startsWith('"') ? "''" : '',
  );
}

function namesBelow(folder: string): string[] {
  const absolute = join(root, folder);
  try {
    return readdirSync(absolute, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
