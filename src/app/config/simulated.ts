/**
 * Products a region of the invented supermarket: two weeks of nights of both regions are played in well under a minute
 * on two busy cores (measured).
 */
export const defaultItems = 2_000;

/** Products a region where the simulator plays the upstream in a process of its own. */
export const servedItems = 20_000;

export const defaultSeed = 1;
