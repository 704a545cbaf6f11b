/** A message about an alert. */
export interface Told {
  readonly deliveryId: number;
  readonly event: 'raised' | 'reminder' | 'over';
  readonly kind: string;
  readonly subject: string;
  readonly says: string;
  readonly advice: string;
  readonly raisedAt: Date;
  readonly overAt: Date | null;
}

/** JSON of a message. Slack and Mattermost show `text`, Discord shows `content`; other fields are for programs. */
export function messageOf({ deliveryId, event, kind, subject, says, advice, raisedAt, overAt }: Told): string {
  const opening = { raised: 'Pricebook', reminder: 'Pricebook, still', over: 'Pricebook, over' }[event];
  const line = event === 'over' ? `${opening}: ${says}` : `${opening}: ${says} ${advice}`;
  return JSON.stringify({
    version: 1,
    delivery: deliveryId,
    event,
    kind,
    subject,
    message: says,
    advice: event === 'over' ? null : advice,
    raised_at: raisedAt.toISOString(),
    over_at: overAt?.toISOString() ?? null,
    text: line,
    content: line.slice(0, longestContent),
  });
}

/** Limit of Discord (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
export const longestContent = 2_000;
