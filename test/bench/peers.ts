import { type Bench, cpuRatio, type Figure } from './figure.ts';
import { dlt, frameworks, plainScript, pricebook } from './peers/candidates.ts';
import { measureFaults } from './peers/measure-faults.ts';
import { cpuOf, measureNights, nightsMeasured } from './peers/measure-nights.ts';
import { findPython } from './peers/python.ts';

/** Nights of one region in Pricebook and in alternatives, with the same pages and the same server. */
export const peers: Figure = {
  name: 'peers',
  async run(bench) {
    if (process.platform !== 'linux') return skip(bench, 'processor time is read from /proc, which only Linux has');
    const found = findPython();
    if ('missing' in found) return skip(bench, found.missing);
    const candidates = [pricebook, dlt, plainScript, ...frameworks];
    const [ours, theirs] = await measureNights(bench, { maxItems: 50_000, candidates, python: found.python });
    bench.say(await measureFaults(candidates, found.python));
    const [second, last, dltLast] = [ours![1]!, ours!.at(-1)!, theirs!.at(-1)!].map(({ databaseMb }) => databaseMb);
    const what = `bytes in PostgreSQL after ${nightsMeasured} nights / dlt scd2`;
    const added = { what: 'a later night adds', value: last! - second!, unit: 'MB', from: 'size of the database' };
    return [
      cpuRatio('a first night / dlt scd2', cpuOf(ours!.slice(0, 1)), cpuOf(theirs!.slice(0, 1)), 0.8, 1),
      cpuRatio('later nights / dlt scd2', cpuOf(ours!.slice(1)), cpuOf(theirs!.slice(1)), 0.5, 0.7),
      { ...cpuRatio('', last!, dltLast!, 0.9, 1.1), what, from: `${last!.toFixed(1)} / ${dltLast!.toFixed(1)} MB` },
      { ...added, target: { is: 'at most', aim: 2, floor: 3 } },
    ];
  },
};

function skip({ say }: Bench, why: string): [] {
  say(`peers: skipped, ${why}`);
  return [];
}
