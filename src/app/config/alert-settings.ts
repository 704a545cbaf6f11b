import { z } from 'zod';
import { isMailUrl, readMailUrl } from '../../followers/messages/mail.ts';
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
  const url = readSecret('ALERT_URL', ReceiverUrl);
  const secret = readSecret('ALERT_SECRET', HeaderValue);
  if (url === null && secret !== null) mistakes.push('ALERT_SECRET signs alerts, but ALERT_URL is not set');
  if (url !== null && secret !== null && isMailUrl(url.reveal()))
    mistakes.push('ALERT_SECRET signs messages to a webhook, but ALERT_URL sends e-mail; remove it');
  return url && { url, secret };
}

/** URL of a webhook, with a token of a chat tool in its path or query, or of mailboxes. */
const ReceiverUrl = z.string().superRefine((text, context) => {
  try {
    if (isMailUrl(text)) return void readMailUrl(text);
    refuseIncomplete(text);
    const url = new URL(text);
    url.search = '';
    parseBaseUrl(url.href);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});
