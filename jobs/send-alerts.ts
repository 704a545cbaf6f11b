import { z } from 'zod';
import { defineJob } from './context.ts';

/** Sends alerts to ALERT_URL: new ones, reminders after a day, and resolved ones. */
export const sendAlerts = defineJob({
  name: 'send-alerts',
  payload: z.object({}),
  key: () => 'send-alerts',

  async run(_, { alerts }, signal) {
    await alerts?.look(signal);
  },
});
