import { defineChore } from './context.ts';

/** Runs the followers that owe work on finished runs (src/followers/followers.ts). */
export const followNights = defineChore('follow-nights', ({ followers }, signal) => followers.follow(signal));
