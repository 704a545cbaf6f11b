import type { Figure } from './figure.ts';
import { pricebook } from './peers/candidates.ts';
import { measureNights } from './peers/measure-nights.ts';

/** Every product of a first night and of the nights until all categories are read again, beside the simulator's own. */
export const truth: Figure = {
  name: 'truth',
  async run(bench) {
    if (process.platform !== 'linux') return [];
    const { items } = bench;
    const [nights] = await measureNights(bench, {
      ...{ maxItems: items, candidates: [pricebook], python: 'python3', nights: 4 },
    });
    return nights!.map(({ wrong, requests }, day) => ({
      ...{ what: `night ${day + 1}, products that differ from the truth`, value: wrong, unit: '' },
      target: { is: 'at most', aim: 0, floor: 0 },
      from: `${requests} requests; ${day % 3 === 0 ? 'every category' : 'without categories that repeat others'}`,
    }));
  },
};
