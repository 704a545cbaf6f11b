import type { Played } from './play-schedule.ts';

/** How soon the first request should go out after everything was killed (test/house/faults-index.md, 4). */
const resumeGoalMs = 10_000;

/** The figures of many schedules as a table of text. */
export function report(played: readonly Played[], seconds: number, again: (seed: number) => string): string {
  const nights = played.flatMap((one) => one.nights);
  const faults = sumUp(nights.map((night) => night.faults));
  const mishaps = sumUp(nights.flatMap(({ fired }) => fired.map((kind) => ({ [kind]: 1 }))));
  const resumed = nights.flatMap(({ resumedMs }) => resumedMs).sort((a, b) => a - b);
  const killed = played.filter(({ schedule }) => /killed|asked|lost/.test(schedule.family));
  const rows: [string, string][] = [
    ['schedules', `${played.length}, of which broken ${played.filter(({ broken }) => broken.length > 0).length}`],
    ['time', `${Math.round(seconds)} s, ${(seconds / Math.max(1, played.length)).toFixed(1)} s a schedule`],
    ['nights', `${nights.length}, in ${nights.reduce((sum, { attempts }) => sum + attempts, 0)} commands`],
    ['verdicts', inWords(sumUp(played.map(({ verdicts }) => verdicts)))],
    ['mishaps', inWords(mishaps)],
    ['faults', inWords(faults)],
    ['requests spent again', `${sum(killed)} in ${killed.length} schedules of kills, at most ${most(killed)} in one`],
    [
      'first request after SIGKILL',
      resumed.length === 0
        ? ''
        : `${inSeconds(resumed[resumed.length >> 1]!)} s in the middle, ${inSeconds(resumed.at(-1)!)} s at most, of ${resumed.length}; ` +
          `${resumed.filter((ms) => ms > resumeGoalMs).length} beyond ${inSeconds(resumeGoalMs)} s`,
    ],
    ...byFamily(played),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const failed = played.filter(({ broken }) => broken.length > 0).map(({ schedule }) => schedule.seed);
  const repeat = failed.map((seed) => `again: ${again(seed)}\n`);
  return `${rows.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join('')}${repeat.join('')}`;
}

function byFamily(played: readonly Played[]): [string, string][] {
  const families = [...new Set(played.map(({ schedule }) => schedule.family))].sort();
  return families.map((family) => {
    const of = played.filter(({ schedule }) => schedule.family === family);
    const seconds = of.reduce((total, one) => total + one.seconds, 0) / of.length;
    const broken = of.filter((one) => one.broken.length > 0).length;
    return [`  ${family}`, `${of.length} schedules, ${broken} broken, ${seconds.toFixed(1)} s each`];
  });
}

const sum = (played: readonly Played[]) => played.reduce((total, { respent }) => total + respent, 0);
const most = (played: readonly Played[]) => Math.max(0, ...played.map(({ respent }) => respent));
const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);

function sumUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of counts) for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
