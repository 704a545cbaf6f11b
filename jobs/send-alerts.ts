import { z } from 'zod';
import { defineJob } from './context.ts';

/** Tells ALERT_URL what a person should know of: what has begun, what still stands after a day, what is over. */
export const sendAlerts = defineJob({
  name: 'send-alerts',
  payload: z.object({}),
  key: () => 'send-alerts',

  async run(_, { alerts }, signal) {
    await alerts?.look(signal);
  },
});
