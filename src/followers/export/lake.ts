import type { Clock } from '../../base/clock.ts';
import { ExportRefused } from '../../base/errors.ts';
import { datasets } from './datasets.ts';
import { createDeltaTable, putFile } from './delta-table.ts';
import type { Destination } from './destination.ts';
import { type ExportedFile, type NightKey, type NightTags, nightTags } from './exported-night.ts';
import { isCertified, type Night } from './nights.ts';
import type { InWorkFolder } from './work-folder.ts';

/** Identity of the exported database. */
export interface Book {
  /** World of the database. */
  readonly name: string;
  /** Distinguishes databases of the same world; null while the database has no world. */
  readonly database: string | null;
}

interface LakeNeeds {
  readonly destination: Destination;
  readonly book: Book;
  readonly clock: Clock;
  /** Days for which replaced files stay. */
  readonly keepDays: number;
  readonly inWorkFolder: InWorkFolder;
}

/** A local file and its destination. */
export interface MadeFile {
  readonly localPath: string;
  readonly file: ExportedFile;
}

/** The Delta Lake tables of a destination, one per dataset. */
export interface Lake {
  /** Reads what has been committed since. Throws `ExportRefused` if the tables are those of another database. */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Certified nights that are missing or differ from the tables: crawled again, released, replayed, or with other
   * columns. Excludes nights to withdraw.
   */
  owed(nights: readonly Night[]): Night[];
  /** Nights that were certified when they were exported and are partial now. */
  withdrawn(nights: readonly Night[]): NightKey[];
  /**
   * Throws `ExportRefused` if a table has a night that this database never had: a copy of the database exports there,
   * or this database was restored from a backup. In both cases keys of runs and products were assigned twice.
   */
  refuseOtherState(nights: readonly Night[]): void;
  /** Uploads and verifies the files of a night, then commits them, `prices` last. */
  commit(night: Night, files: readonly MadeFile[], signal: AbortSignal): Promise<void>;
  /** Removes a night, `prices` first. */
  withdraw(key: NightKey, signal: AbortSignal): Promise<void>;
  /** Deletes files that were replaced more than `keepDays` ago. */
  deleteReplaced(signal: AbortSignal): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;

export function createLake({ destination, book, clock, keepDays, inWorkFolder }: LakeNeeds): Lake {
  const configuration = {
    'pricebook.book': book.name,
    ...(book.database === null ? {} : { 'pricebook.database': book.database }),
  };
  const check = (found: Readonly<Record<string, string>>) => refuseOtherBook(found, book, destination.name);
  const tables = datasets.map((dataset) =>
    createDeltaTable({ destination, dataset, clock, keepMs: keepDays * dayMs, configuration, check, inWorkFolder }),
  );

  /** Tags of the exported nights by dataset. */
  const exported = (): Map<string, Map<string, NightTags>> => {
    const nights = new Map<string, Map<string, NightTags>>();
    for (const table of tables) {
      for (const { partitionValues, tags } of table.files()) {
        const key = `${partitionValues['region']} ${partitionValues['snapshot_date']}`;
        if (!nights.has(key)) nights.set(key, new Map());
        nights.get(key)!.set(table.name, tags);
      }
    }
    return nights;
  };
  const partitionOf = ({ region, snapshot_date }: NightKey) => ({ region, snapshot_date });
  const pathIn = (table: string, { path }: ExportedFile) => path.slice(table.length + 1);

  return {
    async refresh(signal) {
      for (const table of tables) await table.refresh(signal);
    },

    owed(nights) {
      const found = exported();
      return nights.filter((night) => {
        const files = [...(found.get(keyOf(night))?.values() ?? [])];
        if (!isCertified(night) && !files.some(({ certificate }) => certificate === 'partial')) return false;
        return files.length < tables.length || !files.every((tags) => isAsNow(tags, night));
      });
    },

    withdrawn(nights) {
      const found = exported();
      return nights
        .filter((night) => !isCertified(night))
        .filter((night) =>
          [...(found.get(keyOf(night))?.values() ?? [])].some((tags) => tags['certificate'] !== 'partial'),
        )
        .map(({ region, snapshotDate }) => ({ region, snapshot_date: snapshotDate }));
    },

    refuseOtherState(nights) {
      const known = new Map(nights.map((night) => [keyOf(night), night]));
      for (const [key, files] of exported()) {
        const night = known.get(key);
        const other = [...files.values()].find((tags) => !night || isLaterThan(tags, night));
        if (other) throw otherState(destination.name, key, other);
      }
    },

    async commit(night, files, signal) {
      for (const { file, localPath } of files) await putFile(destination, file.path, localPath, signal);
      const partition = partitionOf({ region: night.region, snapshot_date: night.snapshotDate });
      for (const table of tables) {
        const { file } = files.find((made) => made.file.dataset === table.name)!;
        const tags = { ...nightTags(night), sha256: file.sha256 };
        const part = { partition, files: [{ ...file, path: pathIn(table.name, file), tags }] };
        await table.replace([part], { userMetadata: noteOf(night), tags }, signal);
      }
      for (const table of tables) await table.deleteUnknown(partition, signal);
    },

    async withdraw(key, signal) {
      const part = { partition: partitionOf(key), files: [] };
      const info = { userMetadata: `${key.region} ${key.snapshot_date} withdrawn: it is partial` };
      for (const table of [...tables].reverse()) await table.replace([part], info, signal);
    },

    async deleteReplaced(signal) {
      for (const table of tables) await table.deleteReplaced(signal);
    },
  };
}

const keyOf = ({ region, snapshotDate }: Night): string => `${region} ${snapshotDate}`;

const noteOf = (night: Night): string => `${keyOf(night)}: ${night.verdict}, run ${night.runId}`;

function isAsNow({ sha256: _, ...found }: NightTags, night: Night): boolean {
  const wanted = Object.entries(nightTags(night));
  return wanted.length === Object.keys(found).length && wanted.every(([name, value]) => found[name] === value);
}

/** A night's change key only increases. */
function isLaterThan({ change_seq: changeSeq }: NightTags, night: Night): boolean {
  return changeSeq !== undefined && night.changeSeq !== null && Number(changeSeq) > night.changeSeq;
}

function otherState(where: string, night: string, { run_id: run }: NightTags): ExportRefused {
  return new ExportRefused(
    `${where} holds the night of ${night} (run ${run}) as this database never had it: ` +
      'a copy of the database exports there, or this one was restored from a backup. ' +
      'The two must not be mixed, their keys of runs and products are not the same. Nothing was changed; ' +
      'export to another place, or empty this one to have all nights written anew.',
  );
}

function refuseOtherBook(found: Readonly<Record<string, string>>, { name, database }: Book, where: string): void {
  const other = found['pricebook.book'] ?? 'tables of another program';
  if (other !== name) {
    throw new ExportRefused(
      `${where} contains nights of another database (${other}). ` +
        `This one is ${name}, and the two must not be mixed. Nothing was changed; export to another place.`,
    );
  }
  const otherDatabase = found['pricebook.database'];
  if (otherDatabase !== undefined && database !== null && otherDatabase !== database) {
    throw new ExportRefused(
      `${where} holds nights of the same book from another database, or from before \`pricebook reset\`: ` +
        'its keys of products are others, and the two must not be mixed. Nothing was changed; ' +
        'export to another place, or empty this one to have all nights written anew.',
    );
  }
}
