import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { readBookId, readWorld } from '../../crawl/ledger/worlds.ts';
import type { Database } from '../../db/client.ts';
import { holdLock } from '../../db/hold-lock.ts';
import { type Book, readManifest, withdrawNight } from './commit.ts';
import type { Destination } from './destination.ts';
import { exportNight } from './export-night.ts';
import type { ExportedNight, ExportFormat, Manifest } from './manifest.ts';
import { isCertified, type Night, readNights } from './nights.ts';
import { refuseOtherState } from './other-state.ts';
import { owedOf, withdrawnOf } from './owed.ts';

interface ExporterNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly destination: Destination;
  /** Data folder: files are made in it before they go anywhere. */
  readonly home: string;
}

/** Writes nights as files to one destination. */
export interface Exporter {
  readonly destination: string;
  /** What lies there already; null: nothing. */
  manifest(signal: AbortSignal): Promise<Manifest | null>;
  /**
   * Exports one night; null when there is none any more, or it has become partial and such are left out. `onWait` is
   * called when another export has to end first.
   */
  export(night: Pick<Night, 'region' | 'snapshotDate'>, options: ExportOptions): Promise<ExportedNight | null>;
  /**
   * Exports what is owed, the newest night first, and withdraws what is no longer certified; at most `nightsAtOnce`.
   * Rests after a failure, longer each time.
   */
  exportOwed(signal: AbortSignal): Promise<void>;
}

interface ExportOptions {
  readonly format: ExportFormat;
  readonly includePartial: boolean;
  readonly signal: AbortSignal;
  onWait?(): void;
}

/**
 * One export at a time from a database, wherever it goes: what one puts somewhere no other takes for left over.
 */
const lock = 'pricebook export';

/** A book of three years that is exported for the first time is done in turns. */
const nightsAtOnce = 50;
const firstRestMs = 30_000;
const longestRestMs = 60 * 60_000;
/** Also when no night has changed: somebody may have removed the files. */
const lookAgainMs = 60 * 60_000;

export function createExporter({ db, clock, log, destination, home }: ExporterNeeds): Exporter {
  // Several books may share a data folder.
  const workFolder = join(home, 'export', createHash('sha256').update(db.url).digest('hex').slice(0, 16));
  let failures = 0;
  let restsUntil = 0;
  let settled: { readonly nights: string; readonly untilMs: number } | null = null;

  const book = async (): Promise<Book> => {
    const world = await readWorld(db);
    if (!world) return { name: 'unknown', database: null };
    // A listing stays the same when its address changes.
    const name = world.kind === 'live' ? `live ${world.listing}` : `simulator seed=${world.seed} items=${world.items}`;
    return { name, database: await readBookId(db) };
  };

  /** Nights that are partial by now leave the place. */
  const tidy = async (nights: readonly Night[], manifest: Manifest, signal: AbortSignal): Promise<void> => {
    const place = { destination, book: await book() };
    if (withdrawnOf(nights, manifest).length === 0) return;
    await holdLock(
      db,
      lock,
      async () => {
        // Another export may have written since.
        const known = await exporter.manifest(signal);
        const now = await readNights(db, {});
        refuseOtherState(known, now, destination.name);
        for (const key of withdrawnOf(now, known)) {
          await withdrawNight(place, key, signal);
          log.info(
            { region: key.region, night: key.snapshot_date, from: destination.name },
            'night withdrawn: it is partial',
          );
        }
      },
      { signal, onTaken: () => undefined },
    );
  };

  const exporter: Exporter = {
    destination: destination.name,

    async manifest(signal) {
      return (await readManifest({ destination, book: await book() }, signal))?.manifest ?? null;
    },

    async export(night, { signal, onWait, ...files }) {
      const needs = { db, destination, workFolder, book: await book() };
      const work = async () => {
        refuseOtherState(await exporter.manifest(signal), await readNights(db, {}), destination.name);
        return exportNight(needs, night, files, signal);
      };
      return holdLock(db, lock, work, { signal, onTaken: () => onWait?.() });
    },

    async exportOwed(signal) {
      const nowMs = clock.now().getTime();
      if (nowMs < restsUntil) return;
      const nights = await readNights(db, {});
      const fingerprint = JSON.stringify(nights);
      if (settled?.nights === fingerprint && nowMs < settled.untilMs) return;
      try {
        const manifest = await exporter.manifest(signal);
        if (manifest) await tidy(nights, manifest, signal);
        const owed = owedOf(nights, manifest, 'parquet');
        for (const night of owed.slice(0, nightsAtOnce)) {
          const includePartial = !isCertified(night);
          const exported = await exporter.export(night, { format: 'parquet', includePartial, signal });
          if (exported) log.info(summaryOf(exported, destination), 'night exported');
        }
        settled = owed.length > nightsAtOnce ? null : { nights: fingerprint, untilMs: nowMs + lookAgainMs };
        if (failures > 0) log.info({ to: destination.name }, 'exports go on');
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        // Said once: what is owed stays owed, and is tried again by itself.
        if (failures === 0) log.warn({ to: destination.name, err: error }, 'a night could not be exported yet');
        restsUntil = nowMs + Math.min(longestRestMs, firstRestMs * 2 ** failures);
        failures += 1;
      }
    },
  };
  return exporter;
}

function summaryOf({ region, snapshot_date: night, run_id: run, files }: ExportedNight, { name }: Destination) {
  return { region: region satisfies RegionCode, night, run, files: files.length, to: name };
}
