/** Products per region in the demo; six weeks of nights of both regions are played in about a minute on two cores. */
export const defaultItems = 2_000;

export const defaultSeed = 1;
