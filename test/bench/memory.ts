import type { Figure } from './figure.ts';
import { pricebook } from './peers/candidates.ts';
import { measureNights } from './peers/measure-nights.ts';

/** Peak memory of a process that crawls a first night, also compared with a tenth of the products. */
export const memory: Figure = {
  name: 'memory',
  async run(bench) {
    if (process.platform !== 'linux') return [];
    const once = { maxItems: bench.items, candidates: [pricebook], python: 'python3', nights: 1 };
    const [[few], [all]] = [
      await measureNights({ ...bench, items: Math.round(bench.items / 10) }, once),
      await measureNights(bench, once),
    ];
    const [least, most] = [few![0]!.memoryMb, all![0]!.memoryMb];
    return [
      {
        ...{ what: `peak memory, ${bench.items} products`, value: most, unit: 'MB' },
        target: { is: 'at most', aim: 250, floor: 400 },
        from: 'resident, of the crawling process; PostgreSQL and simulator are others',
      },
      {
        ...{ what: 'peak memory, against a tenth of the products', value: most / least, unit: '' },
        target: { is: 'at most', aim: 1.15, floor: 1.15 },
        from: `${most.toFixed(0)} MB / ${least.toFixed(0)} MB`,
      },
    ];
  },
};
