import { isUtf8 } from 'node:buffer';
import type { Headers } from './quota.ts';

/** The parts of a body that are common to all endpoints. */
export interface Envelope {
  /** The parsed body if it is a JSON object of reasonable depth; otherwise null. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The boolean `success`, which only vendor responses have; otherwise null. */
  readonly success: boolean | null;
  /** The vendor's error code, or the validator's name of the error. */
  readonly error: string | null;
  /** The sender's error message: one line of at most 200 characters. */
  readonly text: string;
  readonly isPlainText: boolean;
}

/** Much deeper than any taxonomy. Parsing copes with more, but recursive code does not. */
const deepest = 64;
const longestText = 200;

export function readEnvelope(bytes: Uint8Array, headers: Headers): Envelope {
  const contentType = String(headers['content-type'] ?? '').toLowerCase();
  const raw = textOf(bytes);
  if (raw === null)
    return { body: null, success: null, error: null, text: 'a body that is not UTF-8', isPlainText: false };
  const parsed = parseObject(raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw);
  if (parsed === 'too deep' || parsed === null) {
    const isPlainText = contentType.startsWith('text/plain');
    const text =
      parsed === 'too deep' ? `JSON nested deeper than ${deepest} levels` : outline(raw, contentType, isPlainText);
    return { body: null, success: null, error: null, text, isPlainText };
  }
  const { success, error } = parsed;
  return {
    body: parsed,
    success: typeof success === 'boolean' ? success : null,
    error:
      typeof error === 'string'
        ? oneLine(error)
        : isObject(error) && typeof error['name'] === 'string'
          ? oneLine(error['name'])
          : null,
    text: success === true ? '' : oneLine(words(parsed)),
    isPlainText: false,
  };
}

/** Decoded text; null if it is not UTF-8, because replacement characters would corrupt data. */
function textOf(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(text) ? text.toString('utf8') : null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | 'too deep' | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    return isDeeperThan(value, deepest) ? 'too deep' : value;
  } catch {
    return null;
  }
}

/** Joins `message`, the gateway's `messages`, and the issues of a validation error in the specified format. */
function words(body: Readonly<Record<string, unknown>>): string {
  const { message, messages, error } = body;
  const issues = isObject(error) && Array.isArray(error['issues']) ? error['issues'] : [];
  const found = issues
    .filter(isObject)
    .map((issue) => [pathOf(issue), issue['message'] || issue['code']].filter(Boolean).join(': '));
  return [message, messages, ...found].filter((part) => typeof part === 'string' && part !== '').join('; ');
}

function pathOf({ path }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(path) ? path.join('.') : '';
}

/** Describes a body that is not a JSON object instead of quoting it, because an error page may contain anything. */
function outline(raw: string, contentType: string, isPlainText: boolean): string {
  if (raw.trim() === '') return 'an empty body';
  if (isPlainText) return oneLine(raw);
  const kind = contentType.split(';')[0]?.trim() || 'a body without a content type';
  return `${raw.length} characters of ${oneLine(kind)} instead of a JSON object`;
}

function oneLine(text: string): string {
  // Upstream text must not forge log lines or reverse the text that follows it.
  const line = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether arrays and objects in a parsed JSON value nest deeper than `limit`. Recursion itself is limited, too. */
function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true;
  // Plain loops, because this runs on every page and Object.values would copy each object.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isDeepChild(value[i], limit)) return true;
    return false;
  }
  for (const key in value) if (isDeepChild((value as Record<string, unknown>)[key], limit)) return true;
  return false;
}

function isDeepChild(child: unknown, limit: number): boolean {
  return typeof child === 'object' && child !== null && isDeeperThan(child, limit - 1);
}
