import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { readBookId, readWorld } from '../../crawl/ledger/worlds.ts';
import type { Database } from '../../db/client.ts';
import { holdLock } from '../../db/hold-lock.ts';
import type { Destination } from './destination.ts';
import { exportNight } from './export-night.ts';
import type { ExportedNight, ExportFormat } from './exported-night.ts';
import { type Book, createLake, type Lake } from './lake.ts';
import { isCertified, type Night, readNights } from './nights.ts';
import { workFolderIn } from './work-folder.ts';

interface ExporterNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  /** Data folder, used for temporary files. */
  readonly home: string;
  /** Days for which replaced files stay. */
  readonly keepDays: number;
}

/** Exports nights to one destination. */
export interface Exporter {
  readonly destination: string;
  /**
   * Exports a night; null if it no longer exists, or has become partial and partial nights are excluded. Calls `onWait`
   * if another export runs.
   */
  export(night: Pick<Night, 'region' | 'snapshotDate'>, options: ExportOptions): Promise<ExportedNight | null>;
  /**
   * Exports missing nights, newest first, and withdraws nights that are no longer certified, at most `nightsAtOnce`.
   * Backs off after failures.
   */
  exportOwed(signal: AbortSignal): Promise<void>;
}

interface ExportOptions {
  readonly format: ExportFormat;
  readonly includePartial: boolean;
  readonly signal: AbortSignal;
  onWait?(): void;
}

/** One export per database at a time, because exports delete files they do not know. */
const lock = 'pricebook export';

/** Limits a call, so that the first export of years is done in parts. */
const nightsAtOnce = 50;
const firstRestMs = 30_000;
const longestRestMs = 60 * 60_000;
/** Checks the destination periodically even without changed nights, because its files may have been deleted. */
const lookAgainMs = 60 * 60_000;

export function createExporter({ db, clock, log, destination, home, keepDays }: ExporterNeeds): Exporter {
  const inWorkFolder = workFolderIn(home, db.url);
  let failures = 0;
  let restsUntil = 0;
  let settled: { readonly nights: string; readonly untilMs: number } | null = null;
  let known: { readonly book: Book; readonly lake: Lake } | null = null;

  const readBook = async (): Promise<Book> => {
    const world = await readWorld(db);
    if (!world) return { name: 'unknown', database: null };
    // Without the host, because a listing's host may change.
    const name = world.kind === 'live' ? `live ${world.listing}` : `simulator seed=${world.seed} items=${world.items}`;
    return { name, database: await readBookId(db) };
  };

  /** Runs `work` while no other export of this database runs, with the tables as they are then. */
  const locked = <Result>(
    work: (lake: Lake, nights: readonly Night[]) => Promise<Result>,
    { signal, onWait }: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined },
  ): Promise<Result> =>
    holdLock(
      db,
      lock,
      async () => {
        const book = await readBook();
        if (known?.book.name !== book.name || known.book.database !== book.database) {
          known = { book, lake: createLake({ destination, book, clock, keepDays, inWorkFolder }) };
        }
        const { lake } = known;
        await lake.refresh(signal);
        const nights = await readNights(db, {});
        lake.refuseOtherState(nights);
        const result = await work(lake, nights);
        await lake.deleteReplaced(signal);
        return result;
      },
      { signal, onTaken: () => onWait?.() },
    );

  /** Withdraws nights that have become partial, and returns those to export. */
  const tidy = async (lake: Lake, nights: readonly Night[], signal: AbortSignal): Promise<Night[]> => {
    for (const key of lake.withdrawn(nights)) {
      await lake.withdraw(key, signal);
      const where = { region: key.region, night: key.snapshot_date, from: destination.name };
      log.info(where, 'night withdrawn: it is partial');
    }
    return lake.owed(nights);
  };

  const exporter: Exporter = {
    destination: destination.name,

    export(night, { signal, onWait, ...files }) {
      const work = (lake: Lake) =>
        inWorkFolder((workFolder) => exportNight({ db, destination, lake, workFolder }, night, files, signal));
      return locked(work, { signal, onWait });
    },

    async exportOwed(signal) {
      const nowMs = clock.now().getTime();
      if (nowMs < restsUntil) return;
      const nights = await readNights(db, {});
      const fingerprint = JSON.stringify(nights);
      if (settled?.nights === fingerprint && nowMs < settled.untilMs) return;
      try {
        const owed = await locked((lake, now) => tidy(lake, now, signal), { signal });
        for (const night of owed.slice(0, nightsAtOnce)) {
          const includePartial = !isCertified(night);
          const exported = await exporter.export(night, { format: 'parquet', includePartial, signal });
          if (exported) log.info(summaryOf(exported, destination), 'night exported');
        }
        settled = owed.length > nightsAtOnce ? null : { nights: fingerprint, untilMs: nowMs + lookAgainMs };
        if (failures > 0) log.info({ to: destination.name }, 'exports work again');
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        // Logged once; the export is retried automatically.
        if (failures === 0)
          log.warn({ to: destination.name, err: error }, 'a night could not be exported; trying again later');
        restsUntil = nowMs + Math.min(longestRestMs, firstRestMs * 2 ** failures);
        failures += 1;
      }
    },
  };
  return exporter;
}

function summaryOf({ region, snapshot_date: night, run_id: run, files }: ExportedNight, { name }: Destination) {
  return { region, night, run, files: files.length, to: name };
}
