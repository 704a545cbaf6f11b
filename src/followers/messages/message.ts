/** A message as programs read it; people are shown its text. */
export interface Message {
  readonly version: 1;
  /** Name of the message: the same when it is sent again. */
  readonly delivery: string | number;
  /** Shown by Slack, Mattermost and as the body of an e-mail. Its first line is the subject. */
  readonly text: string;
  /** Shown by Discord. */
  readonly content: string;
}

/** Limit of Discord (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
const longestContent = 2_000;

/** A message with these fields for programs. */
export function messageOf(delivery: string | number, text: string, fields: Readonly<Record<string, unknown>>): Message {
  return { version: 1, delivery, ...fields, text, content: text.slice(0, longestContent) };
}
