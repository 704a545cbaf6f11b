import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
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
  /** Data folder, used for temporary files. */
  readonly home: string;
}

/** Exports nights to one destination. */
export interface Exporter {
  readonly destination: string;
  /** Current manifest; null: none. */
  manifest(signal: AbortSignal): Promise<Manifest | null>;
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

export function createExporter({ db, clock, log, destination, home }: ExporterNeeds): Exporter {
  // Several databases may share a data folder.
  const workFolder = isOfAnotherUser(home)
    ? null
    : join(home, 'export', createHash('sha256').update(db.url).digest('hex').slice(0, 16));
  let failures = 0;
  let restsUntil = 0;
  let settled: { readonly nights: string; readonly untilMs: number } | null = null;

  const book = async (): Promise<Book> => {
    const world = await readWorld(db);
    if (!world) return { name: 'unknown', database: null };
    // Without the host, because a listing's host may change.
    const name = world.kind === 'live' ? `live ${world.listing}` : `simulator seed=${world.seed} items=${world.items}`;
    return { name, database: await readBookId(db) };
  };

  /** Withdraws nights that have become partial. */
  const tidy = async (nights: readonly Night[], manifest: Manifest, signal: AbortSignal): Promise<void> => {
    const place = { destination, book: await book() };
    if (withdrawnOf(nights, manifest).length === 0) return;
    await holdLock(
      db,
      lock,
      async () => {
        // Read again, because another export may have written it.
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
  return { region: region satisfies RegionCode, night, run, files: files.length, to: name };
}

/** Whether root works in a folder of another user, who could plant links there that lead to any file. */
function isOfAnotherUser(folder: string): boolean {
  return process.getuid?.() === 0 && (statSync(folder, { throwIfNoEntry: false })?.uid ?? 0) !== 0;
}
