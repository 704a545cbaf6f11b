import { DateParameter } from '../../questions/parameters.ts';

/** Parameters of a page whose charts can be narrowed to a stretch of dates, both inclusive. */
export const stretchParameters = {
  from: DateParameter.optional().meta({ description: 'First date of the charts' }),
  to: DateParameter.optional().meta({ description: 'Last date of the charts' }),
} as const;

export interface Stretch {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Whether dates are given; how far back the charts reach is then not asked. */
export function isStretch({ from, to }: Stretch): boolean {
  return from !== undefined || to !== undefined;
}
