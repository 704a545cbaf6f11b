import { beforeAll } from 'vitest';
import { type Playing, playNights } from '../../src/cli/play-nights.ts';
import { clockFrom } from '../../src/clock.ts';
import { type Base, compose } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/derive/derive-nights.ts';
import { createLog } from '../../src/log.ts';
import { regionCodes } from '../../src/model/index.ts';
import type { CatalogueOptions } from '../../src/simulator/settings.ts';
import { type Ended, useHousehold } from '../cli/pricebook.ts';
import { createRecordingConsole } from '../cli/recording-console.ts';
import type { Installation } from '../support/crawl.ts';
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
  /** How the simulator's catalogue moves, where not as usual. */
  readonly simulator?: Partial<CatalogueOptions>;
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

interface PlayInto extends Playing {
  readonly home: string;
  /** What the machine's clock says. */
  readonly now: Date;
}

/** Plays nights as `start` does before it crawls tonight; returns what it said. */
export async function playInto(
  { databaseUrl, queue }: Pick<Installation, 'databaseUrl' | 'queue'>,
  { home, now, ...playing }: PlayInto,
  afterwards: (base: Base) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: home, ...queue }, { cwd: home });
  const clock = { now: clockFrom(now).now };
  const base = await compose(config, { clock, log: createLog({ level: 'silent' }), name: 'test' });
  try {
    const { console, heard } = createRecordingConsole();
    await playNights(base, playing, { console, signal: new AbortController().signal });
    await afterwards(base);
    return heard.stderr;
  } finally {
    await base.close();
  }
}

/** One for all tests of the file. */
export function usePlayedBook(options: PlayedBookOptions): PlayedBook {
  const { nights, items, maxDetails = 0, lastNight = '2026-03-10', simulator = {} } = options;
  const installation = useInstallation();
  const household = useHousehold();
  const environment = () => ({ DATABASE_URL: installation.databaseUrl, ...installation.queue });

  beforeAll(async () => {
    const tomorrow = new Date(Date.parse(`${lastNight}T12:00:00Z`) + 86_400_000);
    const given = { home: household.home, now: tomorrow, nights, maxDetails, simulator: { ...simulator, items } };
    await playInto(installation, given, async ({ db }) => {
      for (const region of regionCodes) await deriveNights(db, region);
    });
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
