import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { DestinationUnavailable } from '../../base/errors.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { Column, Dataset } from './datasets.ts';
import {
  type Action,
  type AddedFile,
  applyActions,
  emptyTable,
  formatActions,
  type Metadata,
  parseActions,
  protocol,
  type TableState,
} from './delta-log.ts';
import { type Destination, digestOfFile } from './destination.ts';
import type { InWorkFolder } from './work-folder.ts';

/** All files of a partition; none: the partition is removed. */
export interface Part {
  readonly partition: Readonly<Record<string, string>>;
  readonly files: readonly NewFile[];
}

interface NewFile {
  /** Relative to the table. */
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** A Delta Lake table of one dataset. */
export interface DeltaTable {
  readonly name: string;
  /** Reads the commits since the last call. */
  refresh(signal: AbortSignal): Promise<void>;
  files(): AddedFile[];
  /** Replaces partitions in one commit, described by `info`. Does nothing if the table is like that already. */
  replace(parts: readonly Part[], info: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void>;
  /** Deletes files that were replaced too long ago for any reader. */
  deleteReplaced(signal: AbortSignal): Promise<void>;
  /** Deletes files of a partition that killed exports have left. */
  deleteUnknown(partition: Part['partition'], signal: AbortSignal): Promise<void>;
}

interface TableNeeds {
  readonly destination: Destination;
  readonly dataset: Dataset;
  readonly clock: Clock;
  /** Time for which replaced files stay. */
  readonly keepMs: number;
  /** Properties of the table. */
  readonly configuration: Readonly<Record<string, string>>;
  /** Throws if the table is not one of this database. */
  check(configuration: Readonly<Record<string, string>>): void;
  readonly inWorkFolder: InWorkFolder;
}

/** Maximum attempts of a commit if others commit at the same time. */
const attempts = 10;
const commitsPerCheckpoint = 50;

export function createDeltaTable(needs: TableNeeds): DeltaTable {
  const { destination, dataset, clock, keepMs, configuration, check, inWorkFolder } = needs;
  const { name } = dataset;
  const log = `${name}/_delta_log`;
  const commitPath = (version: number) => `${log}/${numberOf(version)}.json`;
  let state = emptyTable();
  let lastCommit = '';
  const deleted = new Set<string>();

  async function readLastCheckpoint(signal: AbortSignal): Promise<TableState> {
    const found = emptyTable();
    const pointer = await destination.readText(`${log}/_last_checkpoint`, signal);
    if (pointer === null) return found;
    const { version } = JSON.parse(pointer) as { readonly version: number };
    const path = `${log}/${numberOf(version)}.checkpoint.parquet`;
    const text = await inWorkFolder(async (folder) => {
      const localPath = join(folder, 'checkpoint.parquet');
      return (await destination.download(path, localPath, signal)) ? readCheckpoint(localPath, folder) : null;
    });
    if (text === null) return found;
    applyActions(found, parseActions(text, `${destination.name}/${path}`));
    return Object.assign(found, { version, checkpointVersion: version });
  }

  async function refresh(signal: AbortSignal): Promise<void> {
    const isAsRead =
      state.version >= 0 && (await destination.readText(commitPath(state.version), signal)) === lastCommit;
    if (!isAsRead) [state, lastCommit] = [await readLastCheckpoint(signal), ''];
    for (;;) {
      const path = commitPath(state.version + 1);
      const text = await destination.readText(path, signal);
      if (text === null) break;
      take(text, `${destination.name}/${path}`);
    }
    if (state.metadata) check(state.metadata.configuration);
  }

  function take(commit: string, where: string): void {
    applyActions(state, parseActions(commit, where));
    state.version += 1;
    lastCommit = commit;
  }

  async function checkpoint(signal: AbortSignal): Promise<void> {
    const { version } = state;
    await inWorkFolder(async (folder) => {
      // Named longer than they stay, so that a failed deletion is repeated.
      const written = await writeCheckpoint(state, clock.now().getTime() - 2 * keepMs, folder);
      await putFile(destination, `${log}/${numberOf(version)}.checkpoint.parquet`, written.path, signal);
      const pointer = join(folder, 'last-checkpoint');
      await writeFile(pointer, JSON.stringify({ version, size: written.actions }));
      await putFile(destination, `${log}/_last_checkpoint`, pointer, signal);
      await rm(pointer);
    });
    state.checkpointVersion = version;
    // Killed exports leave unfinished files.
    const unfinished = (await destination.list(log, signal)).filter((path) => /\/\.[^/]+\.tmp$/.test(path));
    for (const path of unfinished) await destination.remove(path, signal);
  }

  return {
    name,
    refresh,
    files: () => [...state.files.values()],

    async replace(parts, info, signal) {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        await refresh(signal);
        const now = clock.now().getTime();
        const changes = parts.flatMap((part) => changesOf(state, part, now));
        if (changes.length === 0) return;
        const text = formatActions([
          { commitInfo: commitInfo(info, dataset, changes, now) },
          ...headOf(state, metadataOf(state.metadata, dataset, configuration, now)),
          ...changes,
        ]);
        const version = state.version + 1;
        if (!(await destination.writeNew(commitPath(version), text, signal))) continue;
        take(text, commitPath(version));
        if (version - Math.max(0, state.checkpointVersion) >= commitsPerCheckpoint) await checkpoint(signal);
        return;
      }
      throw new DestinationUnavailable(destination.name, `other programs keep changing the table ${name}`);
    },

    async deleteReplaced(signal) {
      const latest = clock.now().getTime() - keepMs;
      for (const { path, deletionTimestamp } of state.removed.values()) {
        const key = `${path} ${deletionTimestamp}`;
        if (deletionTimestamp > latest || deleted.has(key)) continue;
        await destination.remove(`${name}/${path}`, signal);
        deleted.add(key);
      }
    },

    async deleteUnknown(partition, signal) {
      for (const path of await destination.list(`${name}/${folderOf(partition)}`, signal)) {
        const known = path.slice(name.length + 1);
        if (isOurs(path) && !state.files.has(known) && !state.removed.has(known))
          await destination.remove(path, signal);
      }
    },
  };
}

/** `region=uk/snapshot_date=2026-03-01` */
export function folderOf(partition: Part['partition']): string {
  return Object.entries(partition)
    .map(([name, value]) => `${name}=${value}`)
    .join('/');
}

const numberOf = (version: number): string => String(version).padStart(20, '0');

/** Whether a file has a name of this program, finished or temporary; other files are left alone. */
function isOurs(path: string): boolean {
  return /\/\.?[a-z_]+-[0-9a-f]{16}\.parquet(\.[0-9a-f]{12}\.tmp)?$/.test(path);
}

/** Writes a local file to a destination and reads it back, unless it is there already. */
export async function putFile(
  destination: Destination,
  path: string,
  localPath: string,
  signal: AbortSignal,
): Promise<void> {
  const file = await digestOfFile(localPath);
  const isThere = async () => {
    const there = await destination.digest(path, signal);
    return there?.sha256 === file.sha256 && there.bytes === file.bytes;
  };
  if (await isThere()) return;
  await destination.put(path, { localPath, ...file }, signal);
  if (await isThere()) return;
  throw new DestinationUnavailable(destination.name, `${path} does not read back as it was written`);
}

function changesOf({ files }: TableState, { partition, files: wanted }: Part, now: number): Action[] {
  const former = [...files.values()].filter(({ partitionValues }) => isEqual(partitionValues, partition));
  const removes = former
    .filter(({ path }) => !wanted.some((file) => file.path === path))
    .map(({ path, partitionValues, size }) => ({
      remove: { path, deletionTimestamp: now, dataChange: true, extendedFileMetadata: true, partitionValues, size },
    }));
  const adds = wanted
    .filter(({ path, tags }) => !isEqual(files.get(path)?.tags ?? {}, tags))
    .map(({ path, bytes, rows, tags }) => ({
      add: {
        path,
        partitionValues: { ...partition },
        size: bytes,
        modificationTime: now,
        // The same file with other tags.
        dataChange: !files.has(path),
        stats: JSON.stringify({ numRecords: rows }),
        tags: { ...tags },
      },
    }));
  return [...removes, ...adds];
}

function isEqual(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function commitInfo(
  info: Readonly<Record<string, unknown>>,
  { partitionedBy }: Dataset,
  changes: readonly Action[],
  now: number,
): Record<string, unknown> {
  return {
    timestamp: now,
    operation: 'WRITE',
    operationParameters: { mode: 'Overwrite', partitionBy: JSON.stringify(partitionedBy.map(({ name }) => name)) },
    isBlindAppend: changes.every(({ remove }) => !remove),
    engineInfo: 'pricebook',
    ...info,
  };
}

/** Actions that a commit needs beside its files. */
function headOf({ metadata }: TableState, wanted: Metadata): Action[] {
  const start: Action[] = metadata ? [] : [{ protocol: { ...protocol } as Action['protocol'] }];
  return JSON.stringify(metadata) === JSON.stringify(wanted) ? start : [...start, { metaData: wanted }];
}

function metadataOf(
  found: Metadata | null,
  { name, columns, partitionedBy }: Dataset,
  configuration: Readonly<Record<string, string>>,
  now: number,
): Metadata {
  return {
    id: found?.id ?? randomUUID(),
    name,
    format: { provider: 'parquet', options: {} },
    schemaString: JSON.stringify({ type: 'struct', fields: [...columns, ...partitionedBy].map(fieldOf) }),
    partitionColumns: partitionedBy.map((column) => column.name),
    configuration: { ...configuration },
    createdTime: found?.createdTime ?? now,
  };
}

const types: Readonly<Partial<Record<Column['type'], string>>> = {
  VARCHAR: 'string',
  SMALLINT: 'short',
  TIMESTAMPTZ: 'timestamp',
};

const fieldOf = ({ name, type }: Column) => ({
  name,
  type: types[type] ?? type.toLowerCase(),
  nullable: true,
  metadata: {},
});
