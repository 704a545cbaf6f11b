import type { RowOf } from '../../questions/columns.ts';
import { unitPriceRank } from '../../questions/unit-price-rank.ts';
import { filters } from '../kernel/blocks.tsx';
import { perUnitNow, priceNow } from '../kernel/cells.tsx';
import { page } from '../kernel/page.ts';
import { Badge } from '../kernel/parts.tsx';
import { Badges, products } from '../kernel/products.tsx';
import { text, unitName } from '../kernel/words.ts';

export const unitPriceRankPage = page(unitPriceRank, {
  async title({ rows }) {
    const own = (await rows({ limit: null })).rows.find(({ is_asked }) => is_asked);
    if (own === undefined) return 'Rank by unit price';
    return `${text(own.title)} is number ${own.rank} of ${own.products} by price per ${unitName(own.unit_of_measure)}`;
  },
  lead: () => 'Products of the same shelf that are for sale, by the shelf price of a unit.',
  blocks: [
    filters('region', 'product'),
    products<RowOf<typeof unitPriceRank>, unknown>({
      title: '',
      below: (row) => (row.is_asked ? <Badge>asked for</Badge> : <Badges of={row.line} axis={null} />),
      cells: [
        { heading: 'Rank', isNamed: true, show: (row) => `${row.rank} of ${row.products}` },
        perUnitNow,
        priceNow,
      ],
    }),
  ],
});
