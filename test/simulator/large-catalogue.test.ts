import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ask, pageOf, rootsOf, withSimulator } from './asking.ts';

const nights = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are held, not those that wait to be collected. */
function inUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it('the catalogue has 300,000 products per region in constant memory, and any page at once', async () => {
  await withSimulator({ items: 300_000 }, async (simulator) => {
    const [root] = await rootsOf(simulator, 'uk');
    const first = await ask(simulator, pageOf('uk', root!.id));
    const { totalResults } = first.body.data.pageInformation;
    expect(totalResults).toBeGreaterThan(20_000);
    const last = await ask(simulator, pageOf('uk', root!.id, Math.ceil(totalResults / 24)));
    expect(last.body.data.products.length).toBeGreaterThan(0);

    const before = inUse();
    for (const date of nights) {
      simulator.change({ date });
      await ask(simulator, pageOf('uk', root!.id, 700));
    }
    let products = 0;
    for (const { productId } of simulator.truth('ie', nights[0]!)) products += productId.length / 9;
    expect(products).toBeGreaterThan(297_000);
    expect(inUse() - before).toBeLessThan(60_000_000);
  });
});
