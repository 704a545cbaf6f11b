import { expect, it } from 'vitest';
import { liveliest } from '../addresses.ts';
import { useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

it('the page of a rank says in its heading what its rows say of the product', async () => {
  const asked = `region=uk&product=${await liveliest(explorer.ask)}`;
  const { rows } = await (await fetch(`${explorer.url}/api/v1/questions/unit-price-rank?${asked}`)).json();
  const { rank, products } = rows.find(({ is_asked }: { is_asked: boolean }) => is_asked);
  expect(await explorer.page(`/unit-price-rank?${asked}`)).toMatch(
    new RegExp(`<h1>.+ is number ${rank} of ${products} by price per \\w+(: the cheapest costs .+ less)?</h1>`),
  );
});
