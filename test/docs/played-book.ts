import { compose } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { regionCodes } from '../../src/base/model/index.ts';
import { type Playing, playNights } from '../../src/cli/play-nights.ts';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { type Ended, useCliHome } from '../cli/pricebook.ts';
import { createRecordingConsole } from '../cli/recording-console.ts';
import type { Installation } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sharedTemplate } from '../support/shared-template.ts';

/**
 * Its nights, of both regions, and its products. More happens in these five nights than in five of a real supermarket,
 * so that every statement of a page has something to say.
 */
export const played = {
  nights: 5,
  items: 240,
  lastNight: '2026-06-10',
  simulator: {
    ...{ superDepartments: 4, dailyChange: 0.1, packChanges: 0.02, flicker: 0.03, dailyTurnover: 0.01 },
    ...{ promoted: 0.4, unavailable: 0.06 },
  },
} as const;

/** A small version of the data that `npm start` creates, on a fixed date, with everything derived. */
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
  /** Time of the machine's clock. */
  readonly now: Date;
}

/** Plays nights as `start` does before tonight; returns its output. */
export async function playInto(
  { databaseUrl, queue }: Pick<Installation, 'databaseUrl' | 'queue'>,
  { home, now, ...playing }: PlayInto,
): Promise<string> {
  const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: home, ...queue }, { cwd: home });
  const clock = { now: clockFrom(now).now };
  const base = await compose(config, { clock, log: createLog({ level: 'silent' }), name: 'test' });
  try {
    const { console, heard } = createRecordingConsole();
    await playNights(base, playing, { console, signal: new AbortController().signal });
    return heard.stderr;
  } finally {
    await base.close();
  }
}

const { lastNight } = played;

/** A book of these nights from which nothing is derived yet. */
export const playedNights = () =>
  sharedTemplate('nights', ({ home, ...installation }) => {
    const tomorrow = new Date(Date.parse(`${lastNight}T12:00:00Z`) + 86_400_000);
    const simulator = { ...played.simulator, items: played.items };
    return playInto(installation, { home, now: tomorrow, nights: played.nights, maxDetails: 20, simulator });
  });

const derivedOnce = () => sharedTemplate('derived', ({ databaseUrl }) => fill(databaseUrl, deriveAll), playedNights);

/** Does something to a database that others are to be copied from. */
export async function fill(url: string, use: (db: Database) => Promise<unknown>): Promise<void> {
  const db = createDatabase({ url, applicationName: 'template' });
  try {
    await use(db);
  } finally {
    await db.end();
  }
}

/** Derives all that follows from the nights. */
export async function deriveAll(db: Database): Promise<void> {
  for (const region of regionCodes) await deriveNights(db, region);
}

/** A copy of it for all tests of the file. */
export function usePlayedBook(): PlayedBook {
  const installation = useInstallation(undefined, { from: derivedOnce });
  const cliHome = useCliHome();
  const environment = () => ({ DATABASE_URL: installation.databaseUrl, ...installation.queue });

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
    run: (args) => cliHome.run(['--now', lastNight, ...args], environment()),
  };
}
