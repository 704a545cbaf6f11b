import { z } from 'zod';
import { ExportRefused } from '../../base/errors.ts';

const Texts = z.record(z.string(), z.string());

/** A file of a table. Paths are relative to the table. */
export type AddedFile = z.infer<typeof AddedFile>;
const AddedFile = z.object({
  path: z.string(),
  partitionValues: Texts,
  size: z.int(),
  modificationTime: z.int(),
  dataChange: z.boolean(),
  /** JSON; contains the number of rows. */
  stats: z.string().nullish(),
  tags: Texts.nullish().transform((tags) => tags ?? {}),
});

const RemovedFile = z.object({
  path: z.string(),
  deletionTimestamp: z.int(),
  dataChange: z.boolean(),
  extendedFileMetadata: z.boolean().nullish(),
  partitionValues: Texts.nullish(),
  size: z.int().nullish(),
});

export type Metadata = z.infer<typeof Metadata>;
const Metadata = z.object({
  id: z.string(),
  name: z.string().nullish(),
  format: z.object({ provider: z.string(), options: Texts }),
  schemaString: z.string(),
  partitionColumns: z.array(z.string()),
  configuration: Texts,
  createdTime: z.int().nullish(),
});

/** What every reader of Delta Lake understands. Tables that another program has raised above it are refused. */
export const protocol = { minReaderVersion: 1, minWriterVersion: 2 };

/** One line of a commit. https://github.com/delta-io/delta/blob/master/PROTOCOL.md describes all actions. */
export type Action = z.infer<typeof Action>;
const Action = z.object({
  protocol: z.object({ minReaderVersion: z.literal(1), minWriterVersion: z.literal(2) }).nullish(),
  metaData: Metadata.nullish(),
  add: AddedFile.nullish(),
  remove: RemovedFile.nullish(),
  commitInfo: z.looseObject({}).nullish(),
});

/** A table after its commits. */
export interface TableState {
  /** Number of the last commit; -1: none. */
  version: number;
  checkpointVersion: number;
  metadata: Metadata | null;
  readonly files: Map<string, AddedFile>;
  /** Former files, which readers of earlier versions still need. */
  readonly removed: Map<string, z.infer<typeof RemovedFile>>;
}

export const emptyTable = (): TableState => ({
  version: -1,
  checkpointVersion: -1,
  metadata: null,
  files: new Map(),
  removed: new Map(),
});

export function applyActions(state: TableState, actions: readonly Action[]): void {
  for (const { metaData, add, remove } of actions) {
    if (metaData) state.metadata = metaData;
    if (add) {
      state.files.set(add.path, add);
      state.removed.delete(add.path);
    }
    if (remove) {
      state.files.delete(remove.path);
      state.removed.set(remove.path, remove);
    }
  }
}

/** Parses a commit: one action per line. Throws `ExportRefused`. */
export function parseActions(text: string, where: string): Action[] {
  try {
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => Action.parse(JSON.parse(line)));
  } catch (error) {
    throw new ExportRefused(
      `${where} is not a commit that this program understands. Nothing was changed; export to another place.`,
      { cause: error },
    );
  }
}

export const formatActions = (actions: readonly Action[]): string =>
  actions.map((action) => `${JSON.stringify(action)}\n`).join('');
