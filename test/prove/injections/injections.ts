import type { Run } from '../../../src/crawl/run/runs.ts';
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
const notRead = /: not read tonight, because other categories listed all its products lately$/;

/**
 * Nights that are incomplete in many ways, ten a trial, with undisturbed nights between them. No incomplete night may
 * be certified. No undisturbed one may be anything but complete, except for the second listings of categories that its
 * certificate names as not read.
 */
export const injections: Profile = {
  count: 10,
  parallel: 2,
  variants: ['first nights', 'listed twice'],
  begin: (ground, only) => (seed) =>
    playInjections(ground, seed, {
      isEachFirst: only === 'first nights',
      assortment: only === 'listed twice' ? listedTwice : {},
    }),
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
  const counts: Record<string, number> = { injected: 0, undisturbed: 0 };
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
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
  return { seed, kind: isEachFirst ? 'first nights' : 'nights in a row', broken, counts };

  function turn(): void {
    date = daysAfter(date, 1);
    simulator.change({ date, faults: [] });
  }

  async function playUndisturbed(): Promise<void> {
    turn();
    const run = await book.night('uk', date);
    count('undisturbed');
    const { wrong, lackingListings } = await compareNight(book.base.db, simulator, 'uk', date);
    const why = await whyOf(book, run);
    const isLeavingOut = run.verdict === 'complete_within_tolerance' && why.every((reason) => notRead.test(reason));
    const differences = isLeavingOut ? wrong : [...wrong, ...lackingListings];
    if ((run.verdict === 'complete' || isLeavingOut) && differences.length === 0) return;
    broken.push(
      `${date}, undisturbed: ${run.verdict ?? run.status} (${why.join('; ')}); ${differences.slice(0, 3).join('; ')}`,
    );
  }

  async function judge(run: Run, { kind, faults }: Injection, isFirst: boolean): Promise<void> {
    count('injected');
    count(`${kind}: ${run.verdict ?? run.status}`);
    if (run.verdict === 'partial' || run.status !== 'published') return;
    const { wrong } = await compareNight(book.base.db, simulator, 'uk', date);
    if (wrong.length === 0) return;
    const shown = `${date}${isFirst ? ', a first night' : ''}, ${JSON.stringify(faults)}`;
    const why = (await whyOf(book, run)).join('; ');
    broken.push(`${shown}: ${run.verdict} (${why}), yet ${wrong.length} wrong: ${wrong.slice(0, 2).join('; ')}`);
  }
}

async function whyOf({ base }: DirectBook, run: Run): Promise<string[]> {
  const [row] = await rowsOf<{ reasons: string[]; findings: string[] }>(
    base.db,
    `select array(
         select ops.reason_in_words(reason) from ops.certificate, jsonb_array_elements(reasons) as reason
         where run_id = $1) as reasons,
       array(select concat_ws(' ', severity, name, found) from ops.finding where run_id = $1) as findings`,
    [run.runId],
  );
  return [...row!.reasons, ...row!.findings].slice(0, 4);
}
