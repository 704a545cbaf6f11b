import { privateLabel } from '../../questions/private-label.ts';
import { filters } from '../kernel/blocks.tsx';
import { page } from '../kernel/page.ts';
import { table } from '../kernel/table.tsx';

export const privateLabelPage = page(privateLabel, {
  async title({ rows }) {
    const { rows: parts } = await rows({ limit: null });
    const gaps = parts.map(({ unit_price_gap_pct: gap }) => gap).filter((gap) => gap !== null);
    if (gaps.length === 0) return 'Private labels and brands';
    const cheaper = gaps.filter((gap) => Number(gap) < 0).length;
    return `Private labels cost less per unit than brands in ${cheaper} of ${gaps.length} categories`;
  },
  lead: ({ parameters: { period } }) =>
    'A shelf is compared where it has at least three products of each; the gap is the median of its shelves. ' +
    `“Moved” is the mean change of shelf prices over a ${period}, offers included.`,
  blocks: [filters('region', 'category', 'period', 'brands'), table()],
});
