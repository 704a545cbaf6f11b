import type { Figure } from './figure.ts';
import { pricebook } from './peers/candidates.ts';
import { cpuOf, defaultSettings, measureNights } from './peers/measure-nights.ts';

/** Nights on a server with PostgreSQL's default settings, or on the one that is given, beside the embedded server. */
export const defaults: Figure = {
  name: 'defaults',
  async run(bench) {
    if (process.platform !== 'linux') {
      bench.say('defaults: skipped, processor time is read from /proc, which only Linux has');
      return [];
    }
    const measured = { maxItems: 30_000, candidates: [pricebook], python: 'python3' };
    const [embedded] = await measureNights(bench, measured);
    const [other] = await measureNights(bench, { ...measured, settings: defaultSettings, server: bench.server });
    const parts = { 'a first night': [0, 1], 'later nights': [1, undefined] } as const;
    return Object.entries(parts).map(([what, [from, to]]) => {
      const [there, here] = [other, embedded].map((nights) => cpuOf(nights!.slice(from, to)));
      return {
        ...{ what: `CPU of ${what} by default settings / embedded`, value: there! / here!, unit: '' },
        target: { is: 'at most', aim: 1.05, floor: 1.15 } as const,
        from: `${there!.toFixed(1)} / ${here!.toFixed(1)} s, process + PostgreSQL`,
      };
    });
  },
};
