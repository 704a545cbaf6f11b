import type { RegionCode } from '../../base/model/index.ts';
import type { Console } from '../console.ts';
import type { NightWatcher } from '../crawl-nights.ts';
import { count } from '../output/words.ts';
import { forecastWords } from '../plan/describe-plan.ts';
import { progressLine } from './line.ts';
import { createMeter, type Reading } from './meter.ts';

/** Interval between two lines of a region without a terminal; a new phase is printed at once. */
const plainEveryMs = 5_000;
const redrawEveryMs = 250;

/**
 * Shows the progress of open runs: one line per region, redrawn on a terminal and repeated periodically elsewhere.
 * `end` leaves the last lines in place.
 */
export function showProgress(
  console: Console,
  nowMs: () => number = () => performance.now(),
): NightWatcher &
  Required<Pick<NightWatcher, 'onProgress'>> & {
    end(): void /** Throws the first refusal. */;
    throwRefused(): void;
  } {
  const refused: Error[] = [];
  const meter = createMeter();
  const show = console.isTerminal ? createRedrawn(console) : createLines(console, nowMs);
  return {
    ...(console.isTerminal && { lookEveryMs: redrawEveryMs }),
    onProgress: (run, progress) => show(meter.read(run, progress, nowMs())),
    onForecast: (plan) => {
      if (plan.state !== 'certified') console.say(`${plan.region}  expected: ${forecastWords(plan)}`);
    },
    onCertified: ({ region, snapshotDate, verdict, productsListed }) =>
      console.say(
        `${region} ${snapshotDate} is certified already (${verdict?.replaceAll('_', ' ')}, ` +
          `${count(productsListed ?? 0)} products listed). \`pricebook crawl --again\` crawls it again.`,
      ),
    onWait: ({ region, snapshotDate, pausedUntil }) =>
      console.say(
        `${region} ${snapshotDate}: the upstream is unavailable; waits, tries again at ` +
          `${pausedUntil?.toISOString()}. The command ends with exit code 69 after five minutes without an answer.`,
      ),
    onRefused: (why) => refused.push(why),
    throwRefused() {
      for (const why of refused) throw why;
    },
    end: () => console.redraw([]),
  };
}

function createRedrawn(console: Console): (reading: Reading) => void {
  const shown = new Map<RegionCode, Reading>();
  return (reading) => {
    shown.set(reading.region, reading);
    console.redraw([...shown.values()].map((each) => progressLine(each).slice(0, console.width() - 1)));
  };
}

function createLines(console: Console, nowMs: () => number): (reading: Reading) => void {
  const told = new Map<RegionCode, { atMs: number; phase: Reading['phase'] }>();
  return (reading) => {
    const last = told.get(reading.region);
    if (last && last.phase === reading.phase && nowMs() - last.atMs < plainEveryMs) return;
    told.set(reading.region, { atMs: nowMs(), phase: reading.phase });
    console.say(progressLine(reading));
  };
}
