import { dirname, join, normalize, sep } from 'node:path';
import type { SourceFile } from '../house/source-files.ts';

/** A way through the program: the files one reads to follow one thing from its start to its end. */
export interface Way {
  readonly name: string;
  /** Files where it begins. A part that is passed as an argument, and so is not imported, is named here too. */
  readonly from: readonly string[];
  /** Folders and files where it ends: other ways, and the ground that all files share. */
  readonly until: readonly string[];
}

/** What any file may import: rows, types, errors, time, logs. */
const ground = [
  'src/db',
  'src/base/model',
  'src/base/errors.ts',
  'src/base/clock.ts',
  'src/base/log.ts',
  'src/base/network-error.ts',
];
/** The meaning of payloads, by endpoint. */
const contracts = ['src/source/endpoints', 'src/source/normalise', 'src/source/listings'];

export const ways: readonly Way[] = [
  {
    name: 'a page, from its job to staged rows, without gateway and contracts',
    from: [
      'src/crawl/crawl-pages.ts',
      'src/crawl/ingest.ts',
      'src/crawl/archive/file-archive.ts',
      'src/crawl/stage/category-page.ts',
    ],
    until: [...ground, ...contracts, 'src/gateway'],
  },
  {
    name: 'a request, through limits and gateway',
    from: ['src/gateway/client.ts', 'src/gateway/limits/spend.ts'],
    until: [...ground, ...contracts],
  },
  {
    name: 'a publication, from the staged run to history',
    from: ['src/publish/publish.ts'],
    until: [...ground, ...contracts],
  },
];

/**
 * The files where a way begins and all files they import, directly or indirectly, until the way ends. Type imports do
 * not count.
 */
export function filesOn(way: Way, files: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Map<string, SourceFile>();
  const next = [...way.from];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    const file = byPath.get(path);
    if (!file)
      throw new Error(`The way "${way.name}" meets ${path}, which does not exist. Correct test/measure/ways.ts.`);
    if (found.has(path)) continue;
    found.set(path, file);
    next.push(...valueImports(file).filter((target) => !way.until.some((end) => isBelow(target, end))));
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files from which a file imports values, and SQL files that it names. */
function valueImports({ path, text }: SourceFile): string[] {
  const specifiers = [
    ...[...text.matchAll(importStatement)].filter(([, names]) => !isTypesOnly(names)).map((match) => match[2]!),
    ...[...text.matchAll(/'([\w./-]+\.sql)'/g)].map((match) => match[1]!),
  ];
  return specifiers.map((specifier) => normalize(join(dirname(path), specifier)).replaceAll(sep, '/'));
}

const importStatement = /^(?:import|export)\s+(?!type\b)(?:([^'";]*?)\s+from\s+)?'(\.[^']+)'/gm;

/** True for `{ type A, type B }`. */
function isTypesOnly(names: string | undefined): boolean {
  if (!names?.trim().startsWith('{')) return false;
  const each = names
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim());
  return each.every((name) => name === '' || name.startsWith('type '));
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
