import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { catalogFiles } from './catalog/index.ts';
import { functionFiles } from './functions/index.ts';
import { viewFiles } from './views/index.ts';

/** SQL statements of the schema in order, with sha256 hashes in hex. */
export interface SchemaSources {
  /** Tables and related objects: applied once, to an empty database. */
  readonly baseline: readonly string[];
  readonly baselineHash: string;
  /** SQL functions in `ops`. */
  readonly functions: readonly string[];
  /** Views of runs in `ops`; views and functions in `catalog` and `marts`. */
  readonly views: readonly string[];
  /** Hash of functions and views, which are replaced when it differs. */
  readonly objectsHash: string;
}

const baselineFiles = ['tables.sql', 'storage.sql', 'regions.sql', 'private-labels.sql'];

/** Creates sources from statements. */
export function schemaOf(parts: Pick<SchemaSources, 'baseline' | 'functions' | 'views'>): SchemaSources {
  return {
    ...parts,
    baselineHash: hashOf(parts.baseline),
    objectsHash: hashOf([...parts.functions, ...parts.views]),
  };
}

let own: SchemaSources | null = null;

/** The program's own sources as of its start; an update may replace the files while it runs. */
export function ownSchema(): SchemaSources {
  own ??= schemaOf({
    baseline: read('../../migrations', baselineFiles),
    functions: read('functions', functionFiles),
    views: [...read('catalog', catalogFiles), ...read('views', viewFiles)],
  });
  return own;
}

function read(folder: string, files: readonly string[]): string[] {
  return files.map((file) => readFileSync(new URL(`${folder}/${file}`, import.meta.url), 'utf8'));
}

function hashOf(statements: readonly string[]): string {
  return createHash('sha256').update(statements.join('\0')).digest('hex');
}
