import type { Run } from '../../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import type { SimulatorOptions } from '../../../src/simulator/index.ts';
import { daysAfter } from '../../bench/night-clock.ts';
import { forgetEverything } from '../../support/forget-everything.ts';
import { shelvesOf } from '../../support/shelves.ts';
import { type DirectBook, openDirectBook } from '../../trust/direct-book.ts';
import { compareNight } from '../compare-night.ts';
import type { Ground } from '../ground.ts';
import type { Profile, Trial } from '../profile.ts';
import { openSite } from '../site.ts';
import { drawInjection, type Injection } from './draw-injection.ts';

/** Content and behaviour of the upstream. */
type Assortment = Pick<SimulatorOptions, 'secondListing' | 'pageSize' | 'dailyTurnover' | 'superDepartments'>;

const items = 300;
/** Products that are hardly listed twice. */
const ordinary = { pageSize: 12, dailyTurnover: 0.004 };
/** Most products are listed twice, on small pages: categories that only repeat others are worth leaving out. */
const listedTwice = { secondListing: 0.8, pageSize: 4, dailyTurnover: 0.002 };
const injectionsPerTrial = 10;

/**
 * Nights that are incomplete in many ways, ten a trial, with undisturbed nights between them. No incomplete night may
 * be certified, and no undisturbed one may be anything but complete.
 */
export const injections: Profile = {
  count: 10,
  parallel: 2,
  variants: ['first nights', 'listed twice'],
  async begin(ground, { only }) {
    return {
      play: (seed) =>
        playInjections(ground, seed, {
          isEachFirst: only === 'first nights',
          assortment: only === 'listed twice' ? listedTwice : {},
        }),
    };
  },
};

interface InjectionsOptions {
  /** Every injection meets an empty database; otherwise one in five does. */
  readonly isEachFirst?: boolean;
  readonly assortment?: Assortment;
}

export async function playInjections(
  ground: Ground,
  seed: number,
  { isEachFirst = false, assortment = {} }: InjectionsOptions = {},
): Promise<Trial> {
  const upstream = { items, seed, flicker: 0.002, ...ordinary, ...assortment };
  const site = await openSite(ground, { upstream });
  const { simulator } = site;
  const book = await openDirectBook({ upstream: simulator.url, env: { DATABASE_URL: site.databaseUrl } });
  const broken: string[] = [];
  const verdicts: Record<string, number> = {};
  const nights = { injected: 0, undisturbed: 0, 'leaving categories out': 0, 'with second listings lost': 0 };
  const requests = { planned: 0, 'on top': 0 };
  let date = '2026-01-01';
  try {
    await playUndisturbed();
    for (let index = seed * injectionsPerTrial; index < (seed + 1) * injectionsPerTrial; index += 1) {
      const isFirst = isEachFirst || index % 5 === 0;
      if (isFirst) await forgetEverything(book.base.db);
      turn();
      const injection = drawInjection(seed, index, shelvesOf(simulator, date), upstream.pageSize);
      simulator.change({ faults: injection.faults });
      await judge(await book.night('uk', date), injection, isFirst);
      await playUndisturbed();
    }
  } finally {
    await book.close();
    await site.close();
  }
  return {
    seed,
    kind: isEachFirst ? 'first nights' : 'nights in a row',
    broken,
    counts: { nights, verdicts, requests },
  };

  function turn(): void {
    date = daysAfter(date, 1);
    simulator.change({ date, faults: [] });
  }

  async function playUndisturbed(): Promise<void> {
    turn();
    const run = await book.night('uk', date);
    nights.undisturbed += 1;
    nights['leaving categories out'] += await leavesOut(book, run);
    const { wrong, lackingListings } = await compareNight(book.base.db, simulator, 'uk', date);
    const differences = [...wrong, ...lackingListings];
    if (run.verdict === 'complete' && differences.length === 0) return;
    const why = await whyOf(book, run);
    broken.push(`${date}, undisturbed: ${run.verdict ?? run.status} (${why}); ${differences.slice(0, 3).join('; ')}`);
  }

  async function judge(run: Run, { kind, what }: Injection, isFirst: boolean): Promise<void> {
    nights.injected += 1;
    nights['leaving categories out'] += await leavesOut(book, run);
    const { onTop, planned } = await requestsOf(book, run);
    requests['on top'] += onTop;
    requests.planned += planned;
    const verdict = `${kind}: ${run.verdict ?? run.status}`;
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    if (run.verdict === 'partial' || run.status !== 'published') return;
    const { wrong, lackingListings } = await compareNight(book.base.db, simulator, 'uk', date);
    if (lackingListings.length > 0) nights['with second listings lost'] += 1;
    if (wrong.length === 0) return;
    const night = `${date}${isFirst ? ', a first night' : ''}`;
    const why = await whyOf(book, run);
    broken.push(
      `${night}: ${what}: ${run.verdict} (${why}), yet ${wrong.length} wrong: ${wrong.slice(0, 2).join('; ')}`,
    );
  }
}

/** 1 if the night was certified without walking every category. */
async function leavesOut({ base }: DirectBook, { runId }: Run): Promise<number> {
  const rows = await rowsOf(
    base.db,
    `select from ops.certificate where run_id = $1 and verdict <> 'partial' and evidence -> 'repeating' <> '[]'`,
    [runId],
  );
  return rows.length;
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
    `select (r ->> 'rereads')::int + (r ->> 'samples')::int + (r ->> 'asks')::int as "onTop",
       (r ->> 'pages')::int as planned
     from (select evidence -> 'requests' as r from ops.certificate where run_id = $1) as requests`,
    [run.runId],
  );
  return row!;
}
