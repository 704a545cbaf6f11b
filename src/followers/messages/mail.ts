import { createHash } from 'node:crypto';
import { isLocalName } from '../../gateway/private-address.ts';
import type { Message } from './message.ts';

/** A mail server with a sender and recipients. */
interface MailBox {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS; otherwise STARTTLS is required, except on this machine or network. */
  readonly secure: boolean;
  readonly isLocal: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

interface Mailed {
  readonly message: Message;
  /** The message as JSON. */
  readonly body: string;
  readonly timeoutMs: number;
  /** Mailboxes instead of those of the URL. */
  readonly to?: readonly string[];
}

const longestSubject = 150;

/** Whether a text is one plain address, without a name. */
export const isMailAddress = (text: string): boolean => /^[^\s@<>,]+@[^\s@<>,]+$/.test(text);

export const isMailUrl = (url: string): boolean => /^smtps?:\/\//i.test(url);

/**
 * Reads `smtps://user:password@host:port/?from=…&to=…,…`. Throws an Error whose message completes "the variable …" and
 * holds no part of the URL.
 */
export function readMailUrl(text: string): MailBox {
  if (!URL.canParse(text)) throw new Error('is not a URL');
  const url = new URL(text);
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'from' && name !== 'to');
  if (unknown !== undefined) throw new Error('may only have the parameters from and to after the host');
  const from = url.searchParams.get('from') ?? '';
  const to = (url.searchParams.get('to') ?? '').split(',').map((address) => address.trim());
  if (url.hostname === '' || ![from, ...to].every(isMailAddress))
    throw new Error('must be like smtps://user:password@mail.example:465/?from=me@shop.example&to=me@shop.example');
  const secure = url.protocol === 'smtps:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host: hostname,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    isLocal: isLocalName(hostname),
    auth: url.username === '' ? undefined : { user: partOf(url.username), pass: partOf(url.password) },
    from,
    to,
  };
}

/** Sends an e-mail. Null: the server accepted it; `silence`: no answer in time; else the reason, without the URL. */
export async function sendMail(
  url: string,
  { message, body, timeoutMs, to: chosen }: Mailed,
  signal: AbortSignal,
): Promise<string | null> {
  const { host, port, secure, isLocal, auth, from, to: usual } = readMailUrl(url);
  const to = chosen ?? usual;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: !isLocal,
    ...(auth && { auth }),
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
      to: [...to],
      subject: subject.replace(/:$/, '').slice(0, longestSubject),
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

function partOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
