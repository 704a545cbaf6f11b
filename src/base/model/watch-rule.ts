/** What a person can wait for: see `marts.watch_events`. */
export const watchRules = ['below', 'lowest', 'back', 'shrank', 'discount'] as const;
export type WatchRule = (typeof watchRules)[number];
