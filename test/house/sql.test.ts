import { describe, expect, it } from 'vitest';
import { programFiles, type SourceFile } from './source-files.ts';

describe('SQL', () => {
  /** Where texts of others pass on their way into the database. */
  const onTheirWay = programFiles().filter(({ path }) =>
    /^(jobs|src\/(source\/(endpoints|normalise)|gateway\/(?!limits)|crawl\/(archive|stage)))\/|^src\/crawl\/ingest\.ts$/.test(
      path,
    ),
  );

  it('is never put together from texts of others: statements hold constants and numbered places only', () => {
    expect(onTheirWay.length).toBeGreaterThan(80);
    expect(onTheirWay.flatMap(foreignParts)).toEqual([]);
  });

  it('and a statement that is would be found', () => {
    const text = `const known = 'a';
const order = \`order by \${known}\`;
export const ask = (title: string) => \`select 1 from t where title = '\${title}' \${order}\`;
export const say = (title: string) => \`selected \${title}\`;`;
    expect(foreignParts({ path: 'x.ts', text })).toEqual(['x.ts puts title into SQL']);
  });
});

const statement =
  /\b(?:select\s|insert\s+into\s|update\s+\w+[.\s]|delete\s+from\s|truncate\s|create\s+(?:temporary\s+)?table\s|copy\s+\w)/i;

/** Parts of SQL templates that are not constants of their file, counted places or other constants' text. */
function foreignParts({ path, text }: SourceFile): string[] {
  const templates = [...text.matchAll(/`(?:\\.|[^`\\])*`/g)].map(([template]) => template);
  return templates
    .filter((template) => statement.test(template))
    .flatMap((template) => [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]!.trim()))
    .filter((part) => !isConstant(part, text))
    .map((part) => `${path} puts ${part} into SQL`);
}

/** A name that stands at the left of the file: declared or imported there, so decided before any text arrives. */
function isConstant(part: string, text: string): boolean {
  const name = /^[A-Za-z]\w*$/.exec(part)?.[0];
  if (name === undefined) return false;
  return new RegExp(`^(?:export )?const ${name}\\b|^import [^;]*\\b${name}\\b`, 'm').test(text);
}
