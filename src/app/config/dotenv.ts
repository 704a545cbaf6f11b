import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readBounded } from './read-bounded.ts';

/** Variables of `.env` in `cwd`, none without one. What cannot be read is added to `mistakes`, without what it says. */
export function readDotenv(cwd: string, mistakes: string[]): Readonly<Record<string, string | undefined>> {
  const path = resolve(cwd, '.env');
  if (!existsSync(path)) return {};
  try {
    const text = readBounded(path).replace(/^\uFEFF/, '');
    for (const line of linesWithoutVariable(text)) {
      mistakes.push(`line ${line} of .env sets no variable: write NAME=value, or # in front of a remark`);
    }
    // Node 20 takes such a line, a blank that is not empty, and a remark that is indented for the beginning of the next
    // name.
    const variables = text.match(assignment)?.map((variable) => variable.trim()) ?? [];
    return parseEnv(variables.join('\n')) as Record<string, string>;
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    mistakes.push(
      code === 'EFBIG'
        ? '.env is too large for a file of variables (more than 256 KB)'
        : `.env cannot be read (${code})`,
    );
    return {};
  }
}

/** A variable with its value, which may go over lines in quotes. */
const assignment = /^[^#\n=]+=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`|).*$/gm;

/** Numbers, from 1, of the lines that are neither empty nor a remark nor part of a variable. */
function linesWithoutVariable(text: string): number[] {
  const rest = text.replace(assignment, (variable) => variable.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (line.trim() === '' || line.trim().startsWith('#') ? [] : [i + 1]));
}
