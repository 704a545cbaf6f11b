import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** Variables of `.env` in `cwd`; empty without the file. Problems are added to `mistakes` without values. */
export function readDotenv(cwd: string, mistakes: string[]): Readonly<Record<string, string | undefined>> {
  const path = resolve(cwd, '.env');
  if (!existsSync(path)) return {};
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    for (const line of linesWithoutVariable(text)) {
      mistakes.push(`line ${line} of .env sets no variable: write NAME=value, or # before a comment`);
    }
    // Node 20's parser treats such lines, whitespace-only lines and indented comments as the start of the next name.
    const variables = text.match(assignment)?.map((variable) => variable.trim()) ?? [];
    return parseEnv(variables.join('\n')) as Record<string, string>;
  } catch (error) {
    mistakes.push(`.env cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return {};
  }
}

/** A variable with its value; quoted values may span lines. */
const assignment = /^[^#\n=]+=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`|).*$/gm;

/** Line numbers, starting at 1, of lines that are neither empty, comments nor assignments. */
function linesWithoutVariable(text: string): number[] {
  const rest = text.replace(assignment, (variable) => variable.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (line.trim() === '' || line.trim().startsWith('#') ? [] : [i + 1]));
}
