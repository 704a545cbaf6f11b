import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Action, formatActions, protocol, type TableState } from './delta-log.ts';
import { quoted, withDuckdb } from './duckdb.ts';

const texts = 'map(varchar, varchar)';
const columns = `{
  protocol: 'struct("minReaderVersion" integer, "minWriterVersion" integer)',
  metaData: 'struct(id varchar, name varchar, format struct(provider varchar, options ${texts}),
    "schemaString" varchar, "partitionColumns" varchar[], configuration ${texts}, "createdTime" bigint)',
  add: 'struct(path varchar, "partitionValues" ${texts}, size bigint, "modificationTime" bigint,
    "dataChange" boolean, stats varchar, tags ${texts})',
  remove: 'struct(path varchar, "deletionTimestamp" bigint, "dataChange" boolean,
    "extendedFileMetadata" boolean, "partitionValues" ${texts}, size bigint)'
}`;

/**
 * Writes the state of a table as one Parquet file, so that readers need not read every commit. Removed files are named
 * if they were removed after `removedSince` (milliseconds). Returns the local path and the number of actions.
 */
export async function writeCheckpoint(
  state: TableState,
  removedSince: number,
  workFolder: string,
): Promise<{ readonly path: string; readonly actions: number }> {
  const removed = [...state.removed.values()].filter(({ deletionTimestamp }) => deletionTimestamp >= removedSince);
  const actions: Action[] = [
    { protocol: { ...protocol } as Action['protocol'] },
    { metaData: state.metadata },
    ...[...state.files.values()].map((add) => ({ add: { ...add, dataChange: false } })),
    ...removed.map((remove) => ({ remove: { ...remove, dataChange: false } })),
  ];
  const [rows, path] = [join(workFolder, 'checkpoint.json'), join(workFolder, 'checkpoint.parquet')];
  await writeFile(rows, formatActions(actions));
  await withDuckdb(workFolder, (duckdb) =>
    duckdb.run(`
      copy (from read_json(${quoted(rows)}, format = 'newline_delimited', columns = ${columns}))
      to ${quoted(path)} (format parquet)`),
  );
  return { path, actions: actions.length };
}

/** Actions of a checkpoint, as text. */
export function readCheckpoint(path: string, workFolder: string): Promise<string> {
  return withDuckdb(workFolder, async (duckdb) => {
    const reader = await duckdb.runAndReadAll(`
      select to_json({'metaData': "metaData", 'add': "add", 'remove': "remove"})::varchar
      from read_parquet(${quoted(path)})`);
    return reader.getRows().join('\n');
  });
}
