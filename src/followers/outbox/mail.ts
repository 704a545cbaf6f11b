import { createHash } from 'node:crypto';
import { isLocalName } from '../../gateway/private-address.ts';
import type { Message } from './receiver.ts';

interface Mailed {
  readonly message: Message;
  /** The message as JSON. */
  readonly body: string;
  readonly timeoutMs: number;
}

/** Whether a text is one plain address, without a name. */
const isMailAddress = (text: string): boolean => /^[^\s@<>,]+@[^\s@<>,]+$/.test(text);

export const isMailUrl = (url: string): boolean => /^smtps?:\/\//i.test(url);

/**
 * Reads `smtps://user:password@host:port/?from=…&to=…,…`. Throws an Error whose message completes "the variable …" and
 * holds no part of the URL.
 */
export function readMailUrl(text: string) {
  if (!URL.canParse(text)) throw new Error('is not a URL');
  const { protocol, hostname, port, username, password, searchParams } = new URL(text);
  if ([...searchParams.keys()].some((name) => name !== 'from' && name !== 'to'))
    throw new Error('may only have the parameters from and to after the host');
  const from = searchParams.get('from') ?? '';
  const to = (searchParams.get('to') ?? '').split(',').map((address) => address.trim());
  if (hostname === '' || ![from, ...to].every(isMailAddress))
    throw new Error('must be like smtps://user:password@mail.example:465/?from=me@shop.example&to=me@shop.example');
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const server = {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Without TLS from the start, STARTTLS is required, except on this machine or network.
    requireTLS: !isLocalName(host),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
  return { from, to, server };
}

/** Sends an e-mail. Null: the server accepted it; `silence`: no answer in time; else the reason, without the URL. */
export async function sendMail(
  url: string,
  { message, body, timeoutMs }: Mailed,
  signal: AbortSignal,
): Promise<string | null> {
  const { from, to, server } = readMailUrl(url);
  const { default: nodemailer } = await import('nodemailer');
  const transport = nodemailer.createTransport({
    ...server,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = () => transport.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [subject = ''] = message.text.split('\n');
    // Mail programs show a message with a known id once.
    const print = createHash('sha256').update(body).digest('hex').slice(0, 16);
    const messageId = `<${message.delivery}.${print}@${from.split('@')[1]}>`;
    await transport.sendMail({
      from,
      to,
      subject: subject.replace(/:$/, '').slice(0, 150),
      text: message.text,
      messageId,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return null;
  } catch (error) {
    return reasonOf(error as { code?: string; responseCode?: number });
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
  }
}

/** Server texts may repeat the user name or an address, so only codes are told. */
function reasonOf({ code = 'unknown', responseCode }: { code?: string; responseCode?: number }): string {
  if (code === 'ETIMEDOUT') return 'silence';
  if (code === 'EAUTH') return 'it refused the user name or the password';
  if (code === 'ETLS') return 'it offers no secure connection';
  return responseCode === undefined ? `it could not be reached (${code})` : `it answered ${responseCode}`;
}
