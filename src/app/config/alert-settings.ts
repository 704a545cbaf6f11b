import { z } from 'zod';
import { parseBaseUrl, refuseIncomplete } from './base-url.ts';
import { HeaderValue } from './configured-listing.ts';
import type { Environment } from './environment.ts';
import type { Secret } from './secret.ts';

/** Destination of alerts. */
export interface AlertSettings {
  /** Secret, because it often contains a token. */
  readonly url: Secret;
  readonly secret: Secret | null;
}

/** Null: no alerts are configured. */
export function readAlerts({ readSecret, mistakes }: Environment): AlertSettings | null {
  const url = readSecret('ALERT_URL', WebhookUrl);
  const secret = readSecret('ALERT_SECRET', HeaderValue);
  if (url === null && secret !== null) mistakes.push('ALERT_SECRET signs alerts, but ALERT_URL is not set');
  return url && { url, secret };
}

/** URL of a webhook; chat tools put a token into its path or query. */
const WebhookUrl = z.string().superRefine((text, context) => {
  try {
    refuseIncomplete(text);
    const url = new URL(text);
    url.search = '';
    parseBaseUrl(url.href);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});
