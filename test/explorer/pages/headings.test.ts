import { expect, it } from 'vitest';
import { addresses } from '../addresses.ts';
import { useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

it.each([
  ['/asof', /^[\d,]+ products in the United Kingdom on 10 June 2026: [\d,]+ for sale$/],
  ['/quarantine', /^1 element could not be read: Invalid input: expected number$/],
  ['/searches', /^7 products for “milk &lt;i>” on [^;]+, 6 at a new place; first: .+$/],
  ['/unit-price-rank', /^.+ is number \d+ of \d+ by price per \w+(: the cheapest costs .+ less)?$/],
])('the page %s answers in its heading', async (path, said) => {
  const [address = path] = (await addresses[path]?.(explorer)) ?? [];
  expect(/<h1>(.*?)<\/h1>/.exec(await explorer.page(address))![1]).toMatch(said);
});
