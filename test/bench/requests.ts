import { realShaped } from '../support/real-shaped.ts';
import { createSmallUpstream } from '../support/small-upstream.ts';
import { type BookOptions, withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { startUpstream } from './upstream.ts';

const pageSize = 24;
const firstNight = '2026-03-01';
/** One round of the categories that take turns to be walked. */
const laterNights = 3;

/** Requests of a night, taxonomy and questions included, over the fewest that could show its products. */
export const requests: Figure = {
  name: 'requests',
  async run({ items, say }) {
    const simulator = await startUpstream({ items });
    const small = await createSmallUpstream({ shelves: realShaped(), pageSize });
    try {
      const onSimulator = await countNights('simulator', simulator, say);
      const onSmall = await countNights('small catalogue', { url: small.url, change: async () => undefined }, say);
      return [...onSimulator, ...onSmall];
    } finally {
      await small.close();
      await simulator.close();
    }
  },
};

async function countNights(
  name: string,
  upstream: BookOptions['upstream'],
  say: (text: string) => void,
): Promise<Measured[]> {
  return withBook({ upstream, date: firstNight }, async ({ night }) => {
    const counted: { readonly requests: number; readonly fewest: number }[] = [];
    for (let i = 0; i <= laterNights; i += 1) {
      const date = daysAfter(firstNight, i);
      await upstream.change({ date });
      const { run } = await night(date);
      counted.push({ requests: run.requestsSpent!, fewest: Math.ceil(run.productsListed! / pageSize) });
      say(`${name} ${date}: ${run.requestsSpent} requests, ${counted.at(-1)!.fewest} at least, ${run.verdict}`);
    }
    const figure = (what: string, nights: typeof counted, target: Measured['target']): Measured => {
      const sum = (of: 'requests' | 'fewest') => nights.reduce((total, each) => total + each[of], 0);
      return {
        what: `requests / fewest possible, ${name}: ${what}`,
        value: sum('requests') / sum('fewest'),
        unit: '',
        target,
        from: `${sum('requests')} requests for ${sum('fewest')} full pages`,
      };
    };
    return [
      figure('first night', counted.slice(0, 1), { is: 'at most', aim: 1.3, floor: 1.5 }),
      figure(`the ${laterNights} nights after it`, counted.slice(1), { is: 'at most', aim: 1.1, floor: 1.2 }),
    ];
  });
}
