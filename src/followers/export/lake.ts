import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { ExportRefused } from '../../base/errors.ts';
import { datasets } from './datasets.ts';
import { createDeltaTable, putFile } from './delta-table.ts';
import type { Destination } from './destination.ts';
import { contentOf, type ExportedFile, isCertified, type Night, type NightKey } from './nights.ts';
import type { InWorkFolder } from './work-folder.ts';

interface LakeNeeds {
  readonly destination: Destination;
  /** Identity of the exported database; null: it has none yet. */
  readonly bookId: string | null;
  readonly clock: Clock;
  /** Days for which replaced files stay. */
  readonly keepDays: number;
  readonly inWorkFolder: InWorkFolder;
}

type Tags = Readonly<Record<string, string>>;

/** A local file and its destination. */
export interface MadeFile {
  readonly localPath: string;
  readonly file: ExportedFile;
}

export type Lake = ReturnType<typeof createLake>;

const dayMs = 24 * 60 * 60_000;

/** The Delta Lake tables of a destination, one per dataset. */
export function createLake({ destination, bookId, clock, keepDays, inWorkFolder }: LakeNeeds) {
  const configuration: Tags = { 'pricebook.database': bookId ?? 'unknown' };
  const check = (found: Tags) => {
    if (found['pricebook.database'] === configuration['pricebook.database']) return;
    throw new ExportRefused(
      `${destination.name} holds tables of another program, of another database, or from before \`pricebook reset\`: ` +
        'its keys of products are others, and the two must not be mixed. Nothing was changed; ' +
        'export to another place, or empty this one to have all nights written anew.',
    );
  };
  const tables = datasets.map((dataset) =>
    createDeltaTable({ destination, dataset, clock, keepMs: keepDays * dayMs, configuration, check, inWorkFolder }),
  );

  /** Tags of the files of exported nights. */
  const exported = (): Map<string, Tags[]> => {
    const nights = new Map<string, Tags[]>();
    for (const { partitionValues, tags } of tables.flatMap((table) => table.files())) {
      const key = `${partitionValues['region']} ${partitionValues['snapshot_date']}`;
      nights.set(key, [...(nights.get(key) ?? []), tags]);
    }
    return nights;
  };
  const partitionOf = ({ region, snapshotDate }: NightKey) => ({ region, snapshot_date: snapshotDate });
  const pathIn = (table: string, { path }: ExportedFile) => path.slice(table.length + 1);

  return {
    /** Reads what has been committed since. Throws `ExportRefused` if the tables are those of another database. */
    async refresh(signal: AbortSignal): Promise<void> {
      for (const table of tables) await table.refresh(signal);
    },

    /**
     * Certified nights that are missing or differ from the tables: crawled again, released, replayed, or with other
     * columns. Excludes nights to withdraw.
     */
    owed(nights: readonly Night[]): Night[] {
      const found = exported();
      return nights.filter((night) => {
        const files = found.get(keyOf(night)) ?? [];
        if (!isCertified(night) && !files.some(({ certificate }) => certificate === 'partial')) return false;
        return files.length < tables.length || !files.every((tags) => isAsNow(tags, night));
      });
    },

    /** Nights that were certified when they were exported and are partial now. */
    withdrawn(nights: readonly Night[]): NightKey[] {
      const found = exported();
      return nights.filter(
        (night) => !isCertified(night) && found.get(keyOf(night))?.some(({ certificate }) => certificate !== 'partial'),
      );
    },

    /** Uploads and verifies the files of a night, then commits them, `prices` last. */
    async commit(night: Night, files: readonly MadeFile[], signal: AbortSignal): Promise<void> {
      for (const { file, localPath } of files) await putFile(destination, file.path, localPath, signal);
      const partition = partitionOf(night);
      for (const table of tables) {
        const { file } = files.find((made) => made.file.dataset === table.name)!;
        const tags = { ...tagsOf(night), sha256: file.sha256 };
        const part = { partition, files: [{ ...file, path: pathIn(table.name, file), tags }] };
        const userMetadata = `${keyOf(night)}: ${night.verdict}, run ${night.runId}`;
        await table.replace(part, { userMetadata, tags }, signal);
      }
    },

    /** Removes a night, `prices` first. */
    async withdraw(key: NightKey, signal: AbortSignal): Promise<void> {
      const part = { partition: partitionOf(key), files: [] };
      const info = { userMetadata: `${keyOf(key)} withdrawn: it is partial` };
      for (const table of [...tables].reverse()) await table.replace(part, info, signal);
    },

    /** Deletes files that were replaced more than `keepDays` ago. */
    async deleteReplaced(signal: AbortSignal): Promise<void> {
      for (const table of tables) await table.deleteReplaced(signal);
    },
  };
}

const keyOf = ({ region, snapshotDate }: NightKey): string => `${region} ${snapshotDate}`;

/** What every file of a night is tagged with. */
const tagsOf = (night: Night): Tags =>
  Object.fromEntries(Object.entries(contentOf(night)).map(([name, value]) => [name, String(value)]));

const isAsNow = ({ sha256: _, ...found }: Tags, night: Night): boolean => isDeepStrictEqual(found, tagsOf(night));
