import { defineChore } from './context.ts';

/** Sends alerts to ALERT_URL: new ones, reminders after a day, and resolved ones. */
export const sendAlerts = defineChore('send-alerts', async ({ alerts }, signal) => alerts?.(signal));
