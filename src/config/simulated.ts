/** Products a region of the invented supermarket: both regions are crawled in half a minute on two busy cores (measured). */
export const defaultItems = 20_000;

export const defaultSeed = 1;
