import { cpuRatio, type Figure } from './figure.ts';
import { plainScript, pricebook } from './peers/candidates.ts';
import { cpuOf, defaultSettings, measureNights } from './peers/measure-nights.ts';

/**
 * Nights on a server with PostgreSQL's default settings, or on the one that is given, beside the embedded server and a
 * plain script.
 */
export const defaults: Figure = {
  name: 'defaults',
  async run(bench) {
    if (process.platform !== 'linux') {
      bench.say('defaults: skipped, processor time is read from /proc, which only Linux has');
      return [];
    }
    const measured = { maxItems: 30_000, candidates: [pricebook], python: 'python3' };
    const [embedded] = await measureNights(bench, measured);
    const there = { ...measured, candidates: [pricebook, plainScript], settings: defaultSettings };
    const [other, script] = await measureNights(bench, { ...there, server: bench.server });
    const later = [other, embedded, script].map((nights) => cpuOf(nights!.slice(1))) as [number, number, number];
    const first = [other, embedded].map((nights) => cpuOf(nights!.slice(0, 1))) as [number, number];
    return [
      cpuRatio('a first night by default settings / embedded', first[0], first[1], 1.05, 1.15),
      cpuRatio('later nights by default settings / embedded', later[0], later[1], 1.05, 1.15),
      cpuRatio('later nights by default settings / plain script', later[0], later[2], 1.5, 2),
    ];
  },
};
