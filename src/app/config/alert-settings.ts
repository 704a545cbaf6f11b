import { z } from 'zod';
import { parseBaseUrl } from './base-url.ts';
import { HeaderValue } from './configured-listing.ts';
import type { Environment } from './environment.ts';
import type { Secret } from './secret.ts';

/** Where alerts are sent. */
export interface AlertSettings {
  /** Often holds a token, so it is kept like a key. */
  readonly url: Secret;
  readonly secret: Secret | null;
}

/** Null: nobody is told. */
export function readAlerts({ readSecret, mistakes }: Environment): AlertSettings | null {
  const url = readSecret('ALERT_URL', WebhookUrl);
  const secret = readSecret('ALERT_SECRET', HeaderValue);
  if (url === null && secret !== null) mistakes.push('ALERT_SECRET signs what is sent to ALERT_URL, which is not set');
  return url && { url, secret };
}

/** Chat tools put a token into its path or its query. */
const WebhookUrl = z.string().superRefine((text, context) => {
  try {
    if (!URL.canParse(text)) throw new Error('is not a URL');
    const url = new URL(text);
    url.search = '';
    parseBaseUrl(url.href);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});
