import { beforeAll } from 'vitest';
import { playNights } from '../../src/cli/play-nights.ts';
import { clockFrom } from '../../src/clock.ts';
import { compose } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/derive/derive-nights.ts';
import { createLog } from '../../src/log.ts';
import { regionCodes } from '../../src/model/index.ts';
import { type Ended, useHousehold } from '../cli/pricebook.ts';
import { createRecordingConsole } from '../cli/recording-console.ts';
import { useInstallation } from '../support/queue-backends.ts';

export interface PlayedBookOptions {
  /** Nights, of both regions. */
  readonly nights: number;
  /** Products a region. */
  readonly items: number;
  /** Details a night asks for, per region; none by default. */
  readonly maxDetails?: number;
  /** The last of the nights. */
  readonly lastNight?: string;
}

/** The book that `npm start` makes, small, on the night of a fixed date; everything in it is derived. */
export interface PlayedBook {
  readonly db: Database;
  readonly lastNight: string;
  /** A statement of a page as an analyst runs it: in the role `bi_reader`, on the last night. Returns its rows. */
  ask(statement: string): Promise<Record<string, unknown>[]>;
  /** A command of a page, on the last night. */
  run(args: readonly string[]): Promise<Ended>;
}

/** One for all tests of the file. */
export function usePlayedBook(options: PlayedBookOptions): PlayedBook {
  const { nights, items, maxDetails = 0, lastNight = '2026-03-10' } = options;
  const installation = useInstallation();
  const household = useHousehold();
  const environment = () => ({ DATABASE_URL: installation.databaseUrl, ...installation.queue });

  beforeAll(async () => {
    const config = loadConfig({ PRICEBOOK_HOME: household.home, ...environment() }, { cwd: household.home });
    const tomorrow = clockFrom(new Date(Date.parse(`${lastNight}T12:00:00Z`) + 86_400_000));
    const log = createLog({ level: 'silent' });
    const base = await compose(config, { clock: { now: tomorrow.now }, log, name: 'test' });
    try {
      const { console } = createRecordingConsole();
      const { signal } = new AbortController();
      await playNights(base, { nights, maxDetails, simulator: { items } }, { console, signal });
      for (const region of regionCodes) await deriveNights(base.db, region);
    } finally {
      await base.close();
    }
  });

  return {
    get db() {
      return installation.db;
    },
    lastNight,
    ask: (statement) =>
      installation.db.tx(async (tx) => {
        await tx.query('set local role bi_reader');
        const { rows } = await tx.query(statement.replaceAll(/\bcurrent_date\b/gi, `date '${lastNight}'`));
        return rows;
      }),
    run: (args) => household.run(['--now', lastNight, ...args], environment()),
  };
}
