import type { RegionCode } from '../../base/model/index.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import type { Console } from '../console.ts';
import type { NightWatcher } from '../crawl-nights.ts';
import { count, duration } from '../output/words.ts';
import { lineWithBar } from './line.ts';
import { createMeter } from './meter.ts';

/** Shows nights that are played one after another: a bar over all of them on a terminal, a line for each everywhere. */
export function showPlayedNights(console: Console, total: number, nowMs: () => number = () => performance.now()) {
  const beganMs = nowMs();
  let night = 0;
  let date = '';
  let meter = createMeter();
  const shares = new Map<RegionCode, number>();

  const draw = () => {
    const within = [...shares.values()].reduce((sum, share) => sum + share / shares.size, 0);
    const share = Math.min(1, (night - 1 + within) / total);
    const secondsLeft = share > 0 ? ((nowMs() - beganMs) / 1_000 / share) * (1 - share) : null;
    const left = night > 1 && secondsLeft !== null ? ` · ${duration(secondsLeft)} left` : '';
    console.redraw([lineWithBar(`night ${night} of ${total}  `, share, `  ${date}${left}`, console.width())]);
  };

  const watcher: NightWatcher = {
    onProgress(run, progress) {
      shares.set(run.region, meter.read(run, progress, nowMs()).share);
      draw();
    },
  };

  return {
    watcher,
    begin(snapshotDate: string) {
      night += 1;
      date = snapshotDate;
      meter = createMeter();
      shares.clear();
      draw();
    },
    /** A night in a line. */
    done(runs: readonly Run[]) {
      const said = runs.map(({ region, verdict, status, productsListed }) => {
        const listed = productsListed === null ? '' : ` with ${count(productsListed)} products`;
        return `${region} ${verdict?.replaceAll('_', ' ') ?? status}${listed}`;
      });
      const byRegion = said.sort().reverse();
      console.say(`night ${night} of ${total}: ${[date, ...byRegion].join(', ')}`);
    },
    end: () => console.redraw([]),
  };
}
