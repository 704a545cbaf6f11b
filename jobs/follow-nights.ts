import { z } from 'zod';
import { defineJob } from './context.ts';

/** Does what follows certified nights, as far as it is owed (src/followers/followers.ts). */
export const followNights = defineJob({
  name: 'follow-nights',
  payload: z.object({}),
  key: () => 'follow-nights',

  run: (_, { followers }, signal) => followers.follow(signal),
});
