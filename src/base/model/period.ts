/** Nights by the name of a period, for all that compares a night with an earlier one. */
export const nightsIn = { night: 1, week: 7, month: 30 } as const;
