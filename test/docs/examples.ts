import { readText } from '../house/source-files.ts';

/** A statement of SQL as a page shows it. */
export interface SqlExample {
  /** The comment above it, or its first line. */
  readonly name: string;
  readonly statement: string;
}

/** The statements in the sql blocks of a page, in order. */
export function sqlBlocksOf(path: string): SqlExample[] {
  return [...readText(path).matchAll(/^ *```sql\n([\s\S]*?)^ *```/gm)].flatMap(([, block]) =>
    block!
      .split(/;[ \t]*(?:\n|$)/)
      .map((statement) => statement.trim())
      .filter((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim() !== '')
      .map((statement) => ({ name: statement.split('\n')[0]!.replace(/^--\s*/, ''), statement })),
  );
}

/** The command lines of a page, in order: lines of indented blocks and of sh blocks. Long ones go on after a `\`. */
export function commandsOf(path: string): string[] {
  const text = readText(path).replaceAll(/\\\n\s*/g, '');
  const fenced = /^```(\w*)\n([\s\S]*?)^```/gm;
  const inFences = [...text.matchAll(fenced)].filter(([, kind]) => kind === 'sh').map(([, , block]) => block!);
  const indented = text
    .replaceAll(fenced, '')
    .split('\n')
    .filter((line) => line.startsWith('    '));
  return [...indented, ...inFences.flatMap((block) => block.split('\n'))]
    .map((line) => line.trim())
    .filter((line) => /^(npm|node|psql|git|cd)\b/.test(line));
}

const pricebook = 'npm run --silent pricebook -- ';

/** The words of a `pricebook` command after its name; null for a line that is something else. */
export function argumentsOf(command: string): string[] | null {
  if (!command.startsWith(pricebook)) return null;
  const [line = ''] = command.slice(pricebook.length).split(/ [>|] /);
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare!);
}
