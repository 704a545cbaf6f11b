import { isUtf8 } from 'node:buffer';
import type { Rejection } from '../base/model/index.ts';
import type { Headers } from './quota.ts';

/** The parts of a body that are common to all endpoints. */
export interface Envelope {
  /** The parsed body if it is a JSON object of reasonable depth; otherwise null. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The boolean `success`, which only vendor responses have; otherwise null. */
  readonly success: boolean | null;
  /** The vendor's error code, or the validator's name of the error. */
  readonly error: string | null;
  /** Whether it reports a failure, whatever the status: by `success`, or by an error and no data. */
  readonly isFailure: boolean;
  /** Values that are no JSON and were read as null. */
  readonly nulled: readonly Rejection[];
  /** The sender's error message: one line of at most 200 characters. */
  readonly text: string;
  readonly isPlainText: boolean;
}

/** Much deeper than any taxonomy. Parsing copes with more, but recursive code does not. */
const deepest = 64;
const longestText = 200;
/** Reported per payload. */
const maxNulled = 100;

export function readEnvelope(bytes: Uint8Array, headers: Headers): Envelope {
  const contentType = String(headers['content-type'] ?? '').toLowerCase();
  const raw = textOf(bytes);
  const none = { body: null, success: null, error: null, isFailure: false, isPlainText: false, nulled: [] };
  if (raw === null) return { ...none, text: 'a body that is not UTF-8' };
  const { body, nulled, text } = parseObject(raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw);
  if (body === null) {
    const isPlainText = contentType.startsWith('text/plain');
    return { ...none, isPlainText, text: text || outline(raw, contentType, isPlainText) };
  }
  const { success, error, errors } = body;
  const hasError = (Array.isArray(errors) && errors.length > 0) || Boolean(error);
  const name = isObject(error) ? error['name'] : error;
  return {
    ...{ body, nulled, isPlainText: false },
    success: typeof success === 'boolean' ? success : null,
    isFailure: success === false || (success !== true && hasError && body['data'] == null),
    error: typeof name === 'string' ? oneLine(name) : null,
    text: success === true ? '' : oneLine(said({ ...body, error: isObject(error) ? error : null }).join('; ')),
  };
}

/** Decoded text; null if it is not UTF-8, because replacement characters would corrupt data. */
function textOf(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(text) ? text.toString('utf8') : null;
}

/** NaN and infinite numbers, as Python writes them. Strings are matched first, to be left alone. */
const noNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/gs;

/** Parses a JSON object; numbers that are none are null. The text says what is wrong with what was meant as one. */
function parseObject(text: string): Pick<Envelope, 'body' | 'nulled' | 'text'> {
  const nulled: Rejection[] = [];
  const none = (why: string) => ({ body: null, nulled: [], text: why });
  const withNulls = (token: string, at: number) => {
    if (token.startsWith('"')) return token;
    nulled.push({ path: `$ at ${at}`, reason: `not JSON: ${token}`, value: token, isPart: true });
    return 'null';
  };
  try {
    const value = JSON.parse(/[:,[]\s*-?(NaN|Infinity)\b/.test(text) ? text.replace(noNumber, withNulls) : text);
    if (!isObject(value)) return none('');
    return isDeeperThan(value, deepest)
      ? none(`JSON nested deeper than ${deepest} levels`)
      : { body: value, nulled: nulled.slice(0, maxNulled), text: '' };
  } catch (error) {
    const { message } = error as Error;
    const where = message.includes('position') ? '' : ` at position ${text.length}`;
    return none(/^\s*[{[]/.test(text) ? oneLine(`not JSON: ${message}${where}`) : '');
  }
}

/**
 * What an error says at any depth: `urls: too few`, `104 usage_limit_reached: Your limit is reached`. Times of a reset
 * keep their names.
 */
function said(value: unknown, levels = 4): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((each) => said(each, levels));
  if (!isObject(value) || levels === 0) return [];
  const { path, issues, code, type } = value;
  if (Array.isArray(issues)) return said(issues, levels - 1);
  const sentences = Object.entries(value).flatMap(([key, child]) => {
    if (/^retry.?after|reset/i.test(key) && /string|number/.test(typeof child)) return [`${key} ${child}`];
    return key !== 'path' && (isObject(child) || sentence.test(key)) ? said(child, levels - 1) : [];
  });
  const codes = [code, type].filter((each) => /string|number/.test(typeof each)).join(' ');
  if (Array.isArray(path)) return [[path.join('.'), sentences[0] ?? code].filter(Boolean).join(': ')];
  return [[codes, sentences.join('; ')].filter(Boolean).join(': ')].filter(Boolean);
}

const sentence =
  /^(messages?|msg|info|details?|reason|title|errors?|(error|status).?(message|description)|fault.?string)$/i;

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
function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(child, limit - 1));
  // A plain loop, because this runs on every page and Object.values would copy each object.
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], limit - 1)) return true;
  return false;
}
