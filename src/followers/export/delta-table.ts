import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { DestinationUnavailable } from '../../base/errors.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { type Column, type Dataset, partitionColumns } from './datasets.ts';
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

type Texts = Readonly<Record<string, string>>;

/** All files of a partition, with paths relative to the table; none: the partition is removed. */
interface Part {
  readonly partition: Texts;
  readonly files: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly rows: number;
    readonly tags: Texts;
  }[];
}

interface TableNeeds {
  readonly destination: Destination;
  readonly dataset: Dataset;
  readonly clock: Clock;
  /** Time for which replaced files stay. */
  readonly keepMs: number;
  readonly configuration: Texts;
  /** Throws if the table is not one of this database. */
  check(configuration: Texts): void;
  readonly inWorkFolder: InWorkFolder;
}

/** Maximum attempts of a commit if others commit at the same time. */
const attempts = 10;
const commitsPerCheckpoint = 50;

/** A Delta Lake table of one dataset. */
export function createDeltaTable(needs: TableNeeds) {
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
  }

  return {
    name,
    /** Reads the commits since the last call. */
    refresh,
    files: (): AddedFile[] => [...state.files.values()],

    /** Replaces a partition in one commit, described by `info`. Does nothing if the table is like that already. */
    async replace(part: Part, info: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<void> {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        await refresh(signal);
        const now = clock.now().getTime();
        const changes = changesOf(state, part, now);
        if (changes.length === 0) return;
        const metaData = metadataOf(state.metadata, dataset, configuration, now);
        const text = formatActions([
          {
            commitInfo: { ...writing, timestamp: now, isBlindAppend: changes.every(({ remove }) => !remove), ...info },
          },
          ...(state.metadata ? [] : [{ protocol: { ...protocol } as Action['protocol'] }]),
          ...(JSON.stringify(state.metadata) === JSON.stringify(metaData) ? [] : [{ metaData }]),
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

    /** Deletes files that were replaced too long ago for any reader. */
    async deleteReplaced(signal: AbortSignal): Promise<void> {
      const latest = clock.now().getTime() - keepMs;
      for (const { path, deletionTimestamp } of state.removed.values()) {
        const key = `${path} ${deletionTimestamp}`;
        if (deletionTimestamp > latest || deleted.has(key)) continue;
        await destination.remove(`${name}/${path}`, signal);
        deleted.add(key);
      }
    },
  };
}

/** `region=uk/snapshot_date=2026-03-01` */
export const folderOf = (partition: Texts): string =>
  Object.entries(partition)
    .map(([name, value]) => `${name}=${value}`)
    .join('/');

const numberOf = (version: number): string => String(version).padStart(20, '0');

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
  await destination.put(path, localPath, signal);
  if (await isThere()) return;
  throw new DestinationUnavailable(destination.name, `${path} does not read back as it was written`);
}

function changesOf({ files }: TableState, { partition, files: wanted }: Part, now: number): Action[] {
  const former = [...files.values()].filter(({ partitionValues }) =>
    isDeepStrictEqual(partitionValues, { ...partition }),
  );
  const removes = former
    .filter(({ path }) => !wanted.some((file) => file.path === path))
    .map(({ path, partitionValues, size }) => ({
      remove: { path, deletionTimestamp: now, dataChange: true, extendedFileMetadata: true, partitionValues, size },
    }));
  const adds = wanted
    .filter(({ path, tags }) => !isDeepStrictEqual(files.get(path)?.tags ?? {}, { ...tags }))
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

const writing = {
  operation: 'WRITE',
  operationParameters: { mode: 'Overwrite', partitionBy: JSON.stringify(partitionColumns.map(({ name }) => name)) },
  engineInfo: 'pricebook',
};

function metadataOf(found: Metadata | null, { name, columns }: Dataset, configuration: Texts, now: number): Metadata {
  return {
    id: found?.id ?? randomUUID(),
    name,
    format: { provider: 'parquet', options: {} },
    schemaString: JSON.stringify({ type: 'struct', fields: [...columns, ...partitionColumns].map(fieldOf) }),
    partitionColumns: partitionColumns.map((column) => column.name),
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
