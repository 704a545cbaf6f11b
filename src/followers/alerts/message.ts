import { type Message, messageOf } from '../messages/message.ts';

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

export function alertMessage({ deliveryId, event, kind, subject, says, advice, raisedAt, overAt }: Told): Message {
  const opening = { raised: 'Pricebook', reminder: 'Pricebook, still', over: 'Pricebook, over' }[event];
  const line = event === 'over' ? `${opening}: ${says}` : `${opening}: ${says} ${advice}`;
  return messageOf(deliveryId, line, {
    event,
    kind,
    subject,
    message: says,
    advice: event === 'over' ? null : advice,
    raised_at: raisedAt.toISOString(),
    over_at: overAt?.toISOString() ?? null,
  });
}
