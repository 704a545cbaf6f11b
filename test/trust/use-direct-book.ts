import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { RegionCode } from '../../src/base/model/index.ts';
import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { recallEverything, rememberEverything } from '../support/remember-everything.ts';
import { type DirectBook, type DirectBookOptions, openDirectBook } from './direct-book.ts';

export interface BookUnderTest {
  readonly book: DirectBook;
  readonly simulator: Simulator;
  /** A night of the uk (or `region`) as the simulator shows it under these faults. */
  night(
    date: string,
    change?: Parameters<Simulator['change']>[0],
    region?: RegionCode,
  ): ReturnType<DirectBook['night']>;
}

export interface DirectBookUse extends Pick<DirectBookOptions, 'maxDetails' | 'crawler'> {
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Before each test a first night of the uk is published, of this date; it is crawled once. */
  readonly firstNight?: string;
  /** Likewise whatever this crawls. */
  readonly begin?: (night: BookUnderTest['night']) => Promise<unknown>;
}

/** A book on a simulator of its own for the tests of a block, before each of them empty or as it was begun. */
export function useDirectBook(
  options: SimulatorOptions,
  {
    env = {},
    firstNight,
    begin = firstNight === undefined ? undefined : (night) => night(firstNight),
    ...crawling
  }: DirectBookUse = {},
): BookUnderTest {
  const installation = useInstallation();
  let open: { book: DirectBook; simulator: Simulator } | null = null;
  const current = () => {
    if (!open) throw new Error('the book is there inside tests and hooks only');
    return open;
  };
  beforeAll(async () => {
    const simulator = await createSimulator(options);
    open = { simulator, book: await openOn(simulator) };
    if (!begin) return;
    await begin(night);
    await rememberEverything(open.book.base.db);
  });
  beforeEach(() => (begin ? recallEverything : forgetEverything)(current().book.base.db));
  afterAll(async () => {
    await open?.book.close();
    await open?.simulator.close();
  });
  return {
    get book() {
      return current().book;
    },
    get simulator() {
      return current().simulator;
    },
    night,
  };

  function openOn(simulator: Simulator): Promise<DirectBook> {
    const { databaseUrl, queue } = installation;
    const variables = { DATABASE_URL: databaseUrl, ...queue, ...env };
    return openDirectBook({ ...crawling, upstream: simulator.url, env: variables });
  }

  function night(date: string, change: Parameters<Simulator['change']>[0] = {}, region: RegionCode = 'uk') {
    current().simulator.change({ faults: [], listingCap: 0, withdrawn: 0, ...change, date });
    return current().book.night(region, date);
  }
}

/** Products by what the catalogue says of them now. */
export async function availabilities(sql: Queryable): Promise<Record<string, number>> {
  const rows = await rowsOf<{ availability: string; products: number }>(
    sql,
    `select availability::text, count(*)::int as products
     from catalog.availability_spell
     where valid_to is null
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ availability, products }) => [availability, products]));
}

/** How often a product was ever said to be absent or delisted. */
export async function saidGone(sql: Queryable): Promise<number> {
  const [row] = await rowsOf<{ times: number }>(
    sql,
    `select count(*)::int as times from catalog.availability_spell where availability in ('absent', 'delisted')`,
  );
  return row!.times;
}

/** Why a run is not complete. */
export async function codesOf({ book }: BookUnderTest, runId: number): Promise<string[]> {
  const rows = await rowsOf<{ code: string }>(
    book.base.db,
    `select reason ->> 'code' as code from ops.certificate, jsonb_array_elements(reasons) as reason where run_id = $1`,
    [runId],
  );
  return rows.map(({ code }) => code);
}
