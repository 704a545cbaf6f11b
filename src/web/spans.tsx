import type { JSX } from 'preact';
import { z } from 'zod';
import type { HrefWith } from './parts.tsx';

/** Days that charts reach back, by the name in the address. */
export const spans = { month: 31, quarter: 91, year: 366, all: 36_500 } as const;
const spanNames = { month: '30 nights', quarter: '90 nights', year: '1 year', all: 'All' } as const;

export const SpanParameter = z
  .enum(['month', 'quarter', 'year', 'all'])
  .default('year')
  .meta({ description: 'Length of the charts' });

/** Lengths of the charts as links; `swaps`: the only part of the page that they change. */
export function Ranges(props: { chosen: keyof typeof spans; hrefWith: HrefWith; swaps?: string }): JSX.Element {
  const { chosen, hrefWith, swaps } = props;
  return (
    <nav class="choices" aria-label="Length of the charts">
      {(Object.keys(spans) as (keyof typeof spans)[]).map((span) => (
        <a key={span} href={hrefWith({ span })} data-swap={swaps} aria-current={span === chosen ? 'true' : undefined}>
          {spanNames[span]}
        </a>
      ))}
    </nav>
  );
}
