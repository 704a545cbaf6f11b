import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { disagreements } from '../support/truth.ts';
import { type DirectBook, openDirectBook } from './direct-book.ts';
import { drawInjection, type Injection, shelvesOf } from './injections.ts';

export interface TrialOptions {
  readonly count: number;
  readonly seed: number;
  /** Where the database and the queue are. */
  readonly env: Readonly<Record<string, string>>;
  /** Injections (per mille) made on a night that has none before it. */
  readonly firstNightsPerMille?: number;
  /** What the upstream lists, and how; by default products that are hardly listed twice, on pages of twelve. */
  readonly upstream?: Pick<SimulatorOptions, 'secondListing' | 'pageSize' | 'dailyTurnover' | 'superDepartments'>;
  onNight?(done: number): void;
}

/** What came of nights in which the upstream kept something to itself, and of the undisturbed ones between them. */
export interface TrialReport {
  readonly seconds: number;
  readonly byKind: Readonly<Record<string, Tally>>;
  /** Certified although a product is missing, should not be there, or is not as it is. */
  readonly falselyCertified: readonly string[];
  /** Certified, all products as they are, but one is not known to be listed in a second category, too. */
  readonly secondListingsLost: readonly string[];
  /** Undisturbed, yet not `complete`, or not the truth. */
  readonly falselyAccused: readonly string[];
  readonly undisturbed: number;
  /** Pages and asks beyond the plan, all nights together, and the plan. */
  readonly requestsOnTop: number;
  readonly requestsPlanned: number;
  /** Nights that were certified without walking every category. */
  readonly nightsLeavingOut: number;
}

export interface Tally {
  partial: number;
  withinTolerance: number;
  /** Mended before it was certified: all that the upstream has is there. */
  complete: number;
}

const items = 300;

/** Most products are listed twice, on small pages: categories that only repeat others are worth leaving out. */
export const listedTwice = { secondListing: 0.8, pageSize: 4, dailyTurnover: 0.002 };

/**
 * Night after night: one with an injection, one without, each compared with the simulator's truth product by product.
 * Some injections meet an empty database, all others one that knows the night before.
 */
export async function runTrial(options: TrialOptions): Promise<TrialReport> {
  const { count, seed, env, firstNightsPerMille = 200, onNight } = options;
  const upstream = { pageSize: 12, dailyTurnover: 0.004, ...options.upstream };
  const { pageSize } = upstream;
  const simulator = await createSimulator({ items, seed, flicker: 0.002, ...upstream });
  const report = {
    byKind: {} as Record<string, Tally>,
    falselyCertified: [] as string[],
    secondListingsLost: [] as string[],
    falselyAccused: [] as string[],
    undisturbed: 0,
    requestsOnTop: 0,
    requestsPlanned: 0,
    nightsLeavingOut: 0,
  };
  const startedAt = performance.now();
  const book = await openDirectBook({ upstream: simulator.url, env });
  let date = '2026-01-01';
  try {
    await playUndisturbed();
    for (let index = 0; index < count; index += 1) {
      const isFirst = (index * 7919) % 1_000 < firstNightsPerMille;
      if (isFirst) await forgetEverything(book.base.db);
      turn();
      const injection = drawInjection(seed, index, shelvesOf(simulator, date), pageSize);
      simulator.change({ faults: injection.faults });
      await tally(await book.night('uk', date), injection, isFirst);
      await playUndisturbed();
      onNight?.(index + 1);
    }
  } finally {
    await book.close();
    await simulator.close();
  }
  return { ...report, seconds: (performance.now() - startedAt) / 1_000 };

  function turn(): void {
    date = daysAfter(date, 1);
    simulator.change({ date, faults: [] });
  }

  async function playUndisturbed(): Promise<void> {
    turn();
    const run = await book.night('uk', date);
    await countLeavingOut(run);
    const wrong = await disagreements(book.base.db, simulator, 'uk', date);
    report.undisturbed += 1;
    if (run.verdict === 'complete' && wrong.length === 0) return;
    const why = await whyOf(book, run);
    report.falselyAccused.push(`${date}: ${run.verdict ?? run.status} (${why}); ${wrong.slice(0, 3).join('; ')}`);
  }

  async function countLeavingOut({ runId }: Run): Promise<void> {
    const rows = await rowsOf(
      book.base.db,
      `select from ops.certificate where run_id = $1 and verdict <> 'partial' and evidence -> 'repeating' <> '[]'`,
      [runId],
    );
    report.nightsLeavingOut += rows.length;
  }

  async function tally(run: Run, { kind, what }: Injection, isFirst: boolean): Promise<void> {
    await countLeavingOut(run);
    report.byKind[kind] ??= { partial: 0, withinTolerance: 0, complete: 0 };
    const counts = report.byKind[kind];
    const { onTop, planned } = await requestsOf(book, run);
    report.requestsOnTop += onTop;
    report.requestsPlanned += planned;
    if (run.verdict === 'complete') counts.complete += 1;
    else if (run.verdict === 'complete_within_tolerance') counts.withinTolerance += 1;
    else counts.partial += 1;
    if (run.verdict === 'partial' || run.status !== 'published') return;
    const wrong = await disagreements(book.base.db, simulator, 'uk', date);
    if (wrong.length === 0) return;
    const night = `${date}${isFirst ? ', a first night' : ''}`;
    const why = await whyOf(book, run);
    const isAboutProducts = wrong.some((line) => !isAboutCategoriesOnly(line));
    (isAboutProducts ? report.falselyCertified : report.secondListingsLost).push(
      `${night}: ${what}: ${run.verdict} (${why}); ${wrong.length} wrong: ${wrong.slice(0, 2).join('; ')}`,
    );
  }
}

/** A disagreement whose two sides differ in nothing but the categories. */
function isAboutCategoriesOnly(line: string): boolean {
  const sides = /\n {2}is (\{.*\})\n {2}not (\{.*\})$/.exec(line);
  if (!sides) return false;
  const [is, not] = sides.slice(1).map((side) => JSON.stringify({ ...JSON.parse(side), categories: null }));
  return is === not;
}

async function whyOf({ base }: DirectBook, run: Run): Promise<string> {
  const [row] = await rowsOf<{ reasons: string[]; findings: string[] }>(
    base.db,
    `select coalesce((select reasons from ops.certificate where run_id = $1), '{}') as reasons,
            array(select severity || ' ' || message from ops.finding where run_id = $1) as findings`,
    [run.runId],
  );
  return [...row!.reasons, ...row!.findings].slice(0, 4).join('; ');
}

async function requestsOf({ base }: DirectBook, run: Run): Promise<{ onTop: number; planned: number }> {
  const [row] = await rowsOf<{ onTop: number; planned: number }>(
    base.db,
    `select (r ->> 'rereads')::int + (r ->> 'samples')::int + (r ->> 'asks')::int as "onTop", (r ->> 'pages')::int as planned
     from (select evidence -> 'requests' as r from ops.certificate where run_id = $1) as requests`,
    [run.runId],
  );
  return row!;
}
