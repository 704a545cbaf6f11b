import { DateParameter } from '../../questions/parameters.ts';

/** Parameters that limit the charts of a page to a date range, both ends inclusive. */
export const stretchParameters = {
  from: DateParameter.optional().meta({ description: 'First date of the charts' }),
  to: DateParameter.optional().meta({ description: 'Last date of the charts' }),
} as const;

export interface Stretch {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether a date range is given; it overrides the span parameter. */
export function isStretch({ from, to }: Stretch): boolean {
  return from !== undefined || to !== undefined;
}
