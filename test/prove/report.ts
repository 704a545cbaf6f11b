import type { Trial } from './profile.ts';

/** The report of many trials: how many are broken, what happened in them, and how to repeat each broken one. */
export function report(trials: readonly Trial[], seconds: number, again: (seed: number) => string): string {
  const broken = trials.filter((trial) => trial.broken.length > 0);
  const ratio = ((100 * broken.length) / Math.max(1, trials.length)).toFixed(1);
  const rows: (readonly [string, string])[] = [
    ['trials', `${trials.length} in ${seconds.toFixed(0)} s`],
    ['broken', `${broken.length} of ${trials.length} (${ratio}%)`],
    ['kinds', inWords(countKinds(trials))],
    ...headingsOf(trials.map(({ counts }) => counts)).map(
      (heading) => [heading, inWords(sumUp(trials.map(({ counts }) => counts[heading] ?? {})))] as const,
    ),
    ...headingsOf(trials.map(({ figures = {} }) => figures)).map(
      (heading) => [heading, spread(trials.flatMap(({ figures }) => figures?.[heading] ?? []))] as const,
    ),
  ];
  const width = Math.max(...rows.map(([heading]) => heading.length)) + 2;
  const table = rows.map(([heading, value]) => `${heading.padEnd(width)}${value}\n`);
  return [...table, ...broken.map((trial) => brokenInWords(trial, again(trial.seed)))].join('');
}

export function brokenInWords({ seed, kind, broken }: Trial, again: string): string {
  const lines = broken.map((line) => `  ${line}\n`).join('');
  return `BROKEN seed ${seed} (${kind})\n${lines}  again: ${again}\n`;
}

/** The middle and the end of the values, and whether they grew: the mean of the first quarter and of the last. */
function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => inDigits(sorted[Math.floor(share * (sorted.length - 1))]!);
  const quarter = Math.ceil(values.length / 4);
  const first = inDigits(mean(values.slice(0, quarter)));
  const last = inDigits(mean(values.slice(-quarter)));
  const middle = `median ${at(0.5)}, 95th percentile ${at(0.95)}, most ${at(1)} of ${values.length}`;
  return `${middle}; first quarter ${first}, last quarter ${last}`;
}

function countKinds(trials: readonly Trial[]): Record<string, number> {
  return sumUp(trials.map(({ kind }) => ({ [kind]: 1 })));
}

function headingsOf(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap(Object.keys))];
}

function sumUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of counts) {
    for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

function inWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`);
  return words.join(', ') || 'none';
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const inDigits = (value: number) => value.toFixed(Math.abs(value) < 100 ? 1 : 0);
