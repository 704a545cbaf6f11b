import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A file that creates views or functions. */
export interface ObjectFile {
  readonly name: string;
  readonly definition: string;
  /** Hash of the definition without comments, in hex: if it changes, the objects are replaced. */
  readonly hash: string;
  /** Comments on the objects, which are written again whenever anything is replaced. */
  readonly remarks: string;
}

/** SQL of the schema. */
export interface SchemaSources {
  /** Tables and related objects: applied once, to an empty database. */
  readonly baseline: readonly string[];
  readonly baselineHash: string;
  /** Rows that a new database begins with. */
  readonly seeds: readonly string[];
  /** Files in the order of application: each comes after those that it needs. */
  readonly objects: readonly ObjectFile[];
}

interface Parts {
  readonly baseline: readonly string[];
  readonly seeds?: readonly string[];
  /** Text by name. */
  readonly objects: readonly (readonly [name: string, text: string])[];
}

/** Creates sources from texts. */
export function schemaOf({ baseline, seeds = [], objects }: Parts): SchemaSources {
  return { baseline, baselineHash: hashOf(baseline.join('\n')), seeds, objects: byNeed(objects.map(fileOf)) };
}

let own: SchemaSources | null = null;

/** The program's own sources as of its start; an update may replace the files while it runs. */
export function ownSchema(): SchemaSources {
  const migrations = (...files: string[]) => files.map((file) => read(`../../migrations/${file}`));
  own ??= schemaOf({
    baseline: migrations('tables.sql', 'storage.sql'),
    seeds: migrations('regions.sql'),
    objects: sqlFiles().map((path) => [path, read(path)] as const),
  });
  return own;
}

const sqlFiles = (): string[] =>
  readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The files in their order, but each after those that create what it names. */
function byNeed(files: readonly ObjectFile[]): ObjectFile[] {
  const makers = new Map<string, ObjectFile>();
  for (const file of files)
    for (const [, name] of file.definition.matchAll(/^create (?:view|function) (\w+\.\w+)/gm)) makers.set(name!, file);
  const ordered = new Set<ObjectFile>();
  const add = (file: ObjectFile) => {
    const { definition, remarks } = file;
    // The last line of the remarks may name a view with similar columns.
    const names = `${withoutComments(definition)} ${remarks.slice(remarks.lastIndexOf('$$'))}`.matchAll(/\w+\.\w+/g);
    for (const [name] of names) {
      const maker = makers.get(name);
      if (maker && maker !== file && !ordered.has(maker)) add(maker);
    }
    ordered.add(file);
  };
  files.forEach(add);
  return [...ordered];
}

function fileOf([name, text]: readonly [name: string, text: string]): ObjectFile {
  const at = text.search(/^(?:select ops\.describe\(|comment on )/m);
  const definition = at < 0 ? text : text.slice(0, at);
  return { name, definition, hash: hashOf(definition), remarks: at < 0 ? '' : text.slice(at) };
}

const withoutComments = (text: string): string => text.replace(/^\s*--.*\n/gm, '');

const hashOf = (text: string): string => createHash('sha256').update(withoutComments(text)).digest('hex');
