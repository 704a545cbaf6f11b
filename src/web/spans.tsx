import type { JSX } from 'preact';
import { z } from 'zod';
import { nightsOfLine } from '../questions/product-line.ts';
import { dayOf } from './charts/days.ts';
import type { HrefWith } from './parts.tsx';

/** Days that charts reach back, by the name in the address. */
export const spans = { month: 31, quarter: 91, year: 366, all: 36_500 } as const;
const spanNames = { month: '30 nights', quarter: '90 nights', year: '1 year', all: 'All' } as const;

export const SpanParameter = z
  .enum(['month', 'quarter', 'year', 'all'])
  .default('year')
  .meta({ description: 'Length of the charts' });

/** Days that the book has, judged by the nights of small charts: if they have all that these show, any number. */
export function daysKnown(nights: readonly { readonly snapshot_date: string }[]): number {
  const [first, last] = [nights[0], nights.at(-1)];
  if (!first || !last) return 0;
  const days = dayOf(last.snapshot_date) - dayOf(first.snapshot_date) + 1;
  return days < nightsOfLine ? days : Number.POSITIVE_INFINITY;
}

/**
 * Lengths of the charts as links, those only that are shorter than what is known; `swaps`: the only part of the page
 * that they change.
 */
export function Ranges(props: {
  chosen: keyof typeof spans;
  hrefWith: HrefWith;
  swaps?: string;
  /** Days since the first known night. */
  known: number;
}): JSX.Element | null {
  const { chosen, hrefWith, swaps, known } = props;
  const shorter = (Object.keys(spans) as (keyof typeof spans)[]).filter((span) => spans[span] < known);
  if (shorter.length === 0) return null;
  const shown = shorter.includes(chosen) ? chosen : 'all';
  return (
    <nav class="choices" aria-label="Length of the charts">
      {[...shorter, 'all' as const].map((span) => (
        <a key={span} href={hrefWith({ span })} data-swap={swaps} aria-current={span === shown ? 'true' : undefined}>
          {spanNames[span]}
        </a>
      ))}
    </nav>
  );
}
