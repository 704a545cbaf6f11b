import type { Clock } from '../../base/clock.ts';
import { ExportRefused } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { readBookId } from '../../crawl/world.ts';
import type { Database } from '../../db/client.ts';
import { holdLock } from '../../db/hold-lock.ts';
import type { Destination } from './destination.ts';
import { exportNight } from './export-night.ts';
import { createLake, type Lake } from './lake.ts';
import { type ExportedNight, type ExportFormat, isCertified, type Night, type NightKey, readNights } from './nights.ts';
import { workFolderIn } from './work-folder.ts';

interface ExporterNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  /** For temporary files. */
  readonly home: string;
  /** Days for which replaced files stay. */
  readonly keepDays: number;
}

export type Exporter = ReturnType<typeof createExporter>;

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

/** Exports nights to one destination. */
export function createExporter({ db, clock, log, destination, home, keepDays }: ExporterNeeds) {
  const inWorkFolder = workFolderIn(home, db.url);
  let failures = 0;
  let restsUntil = 0;
  let known: { readonly bookId: string | null; readonly lake: Lake } | null = null;

  /** Runs `work` while no other export of this database runs, with the tables as they are then. */
  const locked = <Result>(
    work: (lake: Lake, signal: AbortSignal) => Promise<Result>,
    options: { readonly signal: AbortSignal; readonly onWait?: (() => void) | undefined },
  ): Promise<Result> =>
    holdLock(
      db,
      lock,
      async (held) => {
        const signal = AbortSignal.any([options.signal, held]);
        const bookId = await readBookId(db);
        if (known?.bookId !== bookId)
          known = { bookId, lake: createLake({ destination, bookId, clock, keepDays, inWorkFolder }) };
        const { lake } = known;
        await lake.refresh(signal);
        const result = await work(lake, signal);
        await lake.deleteReplaced(signal);
        return result;
      },
      { signal: options.signal, onTaken: () => options.onWait?.() },
    );

  const where = ({ region, snapshotDate }: NightKey) => ({ region, night: snapshotDate, at: destination.name });

  /** Withdraws nights that have become partial, and returns those to export. */
  const tidy = async (lake: Lake, signal: AbortSignal): Promise<Night[]> => {
    const nights = await readNights(db, {});
    for (const key of lake.withdrawn(nights)) {
      await lake.withdraw(key, signal);
      log.info(where(key), 'night withdrawn: it is partial');
    }
    return lake.owed(nights);
  };

  const exportOne = (night: NightKey, { signal, onWait, ...files }: ExportOptions): Promise<ExportedNight | null> => {
    const work = (lake: Lake, held: AbortSignal) =>
      inWorkFolder((workFolder) => exportNight({ db, destination, lake, workFolder }, night, files, held));
    return locked(work, { signal, onWait });
  };

  return {
    destination: destination.name,

    /**
     * Exports a night; null if it no longer exists, or has become partial and partial nights are excluded. Calls
     * `onWait` if another export runs.
     */
    export: exportOne,

    /**
     * Exports missing nights, newest first, and withdraws nights that are no longer certified, at most `nightsAtOnce`.
     * Backs off after failures.
     */
    async exportOwed(signal: AbortSignal): Promise<void> {
      const nowMs = clock.now().getTime();
      if (nowMs < restsUntil) return;
      try {
        const owed = await locked(tidy, { signal });
        let refused: unknown = null;
        for (const night of owed.slice(0, nightsAtOnce)) {
          const includePartial = !isCertified(night);
          try {
            const exported = await exportOne(night, { format: 'parquet', includePartial, signal });
            if (exported) log.info(where(night), 'night exported');
          } catch (error) {
            // A night that does not match its certificate does not keep the others back.
            if (!(error instanceof ExportRefused)) throw error;
            refused ??= error;
          }
        }
        if (refused !== null) throw refused;
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
}
