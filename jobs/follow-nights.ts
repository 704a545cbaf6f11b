import { z } from 'zod';
import { defineJob } from './context.ts';

/** Runs the followers that owe work on finished runs (src/followers/followers.ts). */
export const followNights = defineJob({
  name: 'follow-nights',
  payload: z.object({}),
  key: () => 'follow-nights',

  run: (_, { followers }, signal) => followers.follow(signal),
});
