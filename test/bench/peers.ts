import type { Bench, Figure, Measured } from './figure.ts';
import { dlt, frameworks, plainScript, pricebook } from './peers/candidates.ts';
import { cpuOf, dates, defaultSettings, measureNights, type NightsTaken } from './peers/measure-nights.ts';
import { findPython } from './peers/python.ts';

/** Nights of one region in Pricebook and in alternatives, with the same pages and the same server. */
export const peers: Figure = {
  name: 'peers',
  async run(bench) {
    if (process.platform !== 'linux') return skip(bench, 'processor time is read from /proc, which only Linux has');
    const found = findPython();
    if ('missing' in found) return skip(bench, found.missing);
    const ours = await measureNights(bench, {
      ...{ maxItems: 50_000, candidates: [pricebook, dlt, plainScript, ...frameworks], python: found.python },
    });
    const byDefault = await measureNights(bench, {
      ...{ maxItems: 30_000, candidates: [pricebook, plainScript], python: found.python },
      settings: defaultSettings,
    });
    return figuresOf(ours, byDefault);
  },
};

function skip({ say }: Bench, why: string): [] {
  say(`peers: skipped, ${why}`);
  return [];
}

function figuresOf([ours, theirs]: NightsTaken, [byDefault, script]: NightsTaken): Measured[] {
  const ratio = (what: string, a: number, b: number, aim: number, floor: number, unit: string): Measured => ({
    what,
    value: a / b,
    unit: '',
    target: { is: 'at most', aim, floor },
    from: `${a.toFixed(1)} / ${b.toFixed(1)} ${unit}`,
  });
  const [second, last] = [ours![1]!, ours!.at(-1)!].map(({ databaseMb }) => databaseMb);
  const cpu = 's, process + PostgreSQL';
  return [
    ratio('CPU of a first night / dlt scd2', cpuOf(ours!.slice(0, 1)), cpuOf(theirs!.slice(0, 1)), 0.8, 1, cpu),
    ratio('CPU of later nights / dlt scd2', cpuOf(ours!.slice(1)), cpuOf(theirs!.slice(1)), 0.5, 0.7, cpu),
    ratio(
      'CPU of later nights by default settings / plain script',
      ...([cpuOf(byDefault!.slice(1)), cpuOf(script!.slice(1)), 1.5, 2, cpu] as const),
    ),
    ratio(
      `bytes in PostgreSQL after ${dates.length} nights / dlt scd2`,
      ...([last!, theirs!.at(-1)!.databaseMb, 0.9, 1.1, 'MB'] as const),
    ),
    {
      what: 'a later night adds',
      value: last! - second!,
      unit: 'MB',
      target: { is: 'at most', aim: 2, floor: 3 },
      from: 'size of the database',
    },
  ];
}
