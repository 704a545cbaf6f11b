import { ContractBroken, PayloadLost, PricebookError } from '../../base/errors.ts';
import type { PromotionKind } from '../../base/model/index.ts';
import { type Archive, questionIn } from '../../crawl/archive/archive.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import type { Endpoint } from '../../source/endpoints/index.ts';
import { storableText } from '../../source/normalise/text.ts';

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** Number of values at each path by type: `data.products[].price.price`; `$` is the root. */
export type Paths = Readonly<Record<string, Partial<Record<JsonType, number>>>>;

/** Statistics of an endpoint's payloads on one night, and of the parsed result. */
export interface Profile {
  readonly payloads: number;
  readonly upstream: Paths;
  /** Paths of the parsed result. */
  readonly read: Paths;
  /** Payloads that break the contract. */
  readonly unreadable: number;
  /** Elements that were rejected, or of which a field could not be read, of those in payloads with a list. */
  readonly rejected: number;
  readonly elements: number;
  /** Most frequent reasons with counts. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** A parsed payload with its request. */
export interface Sampled {
  readonly question: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface SampleNeeds {
  readonly db: Queryable;
  readonly archive: Pick<Archive, 'getAll'>;
}

export type AnyEndpoint = Endpoint<never, unknown>;

/** 16 pages with 24 products each: enough for a field that one product in twenty has (compare.ts). */
const payloadsInSample = 16;
const maxReasons = 10;
/** Payloads have about a hundred paths; more occur only if keys are data. */
const maxPaths = 1_000;
const maxDepth = 20;

/**
 * Successful responses of a run, sampled by request, so that the same requests are compared every night if possible.
 * Skips payloads that are missing or not a JSON object. Sends no request.
 */
export async function samplePayloads(
  { db, archive }: SampleNeeds,
  runId: number,
  endpoint: string,
): Promise<readonly Sampled[]> {
  const rows = await rowsOf<{ request: string; sha256: string }>(
    db,
    `select request, encode(sha256, 'hex') as sha256
     from (
       select distinct on (p.request) p.request, p.sha256
       from ops.payload p
       where p.run_id = $1 and p.endpoint = $2 and p.status = 200
       order by p.request, p.payload_id desc
     ) as asked
     order by md5(request) limit $3`,
    [runId, endpoint, payloadsInSample],
  );
  const bodies = rows.length === 0 ? [] : await archive.getAll(rows.map(({ sha256 }) => sha256));
  return bodies.flatMap((bytes, i): Sampled[] => {
    const body = bytes instanceof PayloadLost ? null : readEnvelope(bytes, {}).body;
    return body ? [{ question: questionIn(rows[i]!.request), body }] : [];
  });
}

/** Profile of a sample of payloads and of the parsed result. */
export function profileOf(endpoint: AnyEndpoint, sample: readonly Sampled[]): Profile {
  const reasons = new Map<string, number>();
  const blame = (reason: string) => reasons.set(reason.slice(0, 200), (reasons.get(reason.slice(0, 200)) ?? 0) + 1);
  const records: unknown[] = [];
  let [unreadable, rejected, rejectedWhole] = [0, 0, 0];
  for (const each of sample) {
    const reading = readingOf(endpoint, each);
    if ('issues' in reading) {
      unreadable += 1;
      reading.issues.slice(0, 3).forEach(blame);
      continue;
    }
    records.push(reading.records ?? null);
    // `data.products[3]` of `data.products[3].price.price`.
    rejected += new Set(reading.rejected.map(({ path }) => path.replace(/(?<=\]).*$/, ''))).size;
    rejectedWhole += reading.rejected.filter(({ isPart }) => !isPart).length;
    for (const { reason } of reading.rejected) blame(reason);
  }
  // Values that were read but not understood count as missing.
  const read = pathsOf(records, (value) => (value === ('unknown' satisfies PromotionKind) ? null : value));
  const lists = Object.entries(read).filter(([path]) => /^[a-z]+\[\]$/i.test(path));
  return {
    payloads: sample.length,
    upstream: pathsOf(sample.map(({ body }) => body)),
    read,
    unreadable,
    rejected,
    elements: rejectedWhole + Math.max(0, ...lists.map(([, types]) => types.object ?? 0)),
    reasons: Object.fromEntries([...reasons].sort(([, one], [, other]) => other - one).slice(0, maxReasons)),
  };
}

/** Parsed result of a payload, or the reason of failure. */
function readingOf(endpoint: AnyEndpoint, { question, body }: Sampled) {
  try {
    const { pageNo } = question;
    return endpoint.read(body, { ...question, ...(pageNo === undefined ? {} : { pageNo: Number(pageNo) }) } as never);
  } catch (error) {
    if (error instanceof ContractBroken) return { issues: error.issues };
    if (error instanceof PricebookError) return { issues: [error.message] };
    throw error;
  }
}

/** Paths of some values, as JSON has them. `understood` replaces values. */
function pathsOf(values: readonly unknown[], understood = (value: unknown) => value): Paths {
  const byPath = new Map<string, Partial<Record<JsonType, number>>>();
  const count = (path: string, given: unknown, depth: number): void => {
    if (given === undefined || depth > maxDepth) return;
    let counted = byPath.get(path);
    if (!counted) {
      if (byPath.size >= maxPaths) return;
      counted = {};
      byPath.set(path, counted);
    }
    const value = understood(given instanceof Date ? given.toJSON() : given);
    const type = typeOf(value);
    counted[type] = (counted[type] ?? 0) + 1;
    if (Array.isArray(value)) for (const element of value) count(`${path}[]`, element, depth + 1);
    else if (type === 'object')
      for (const [key, child] of Object.entries(value as object)) count(pathTo(path, key), child, depth + 1);
  };
  for (const value of values) count('$', value, 0);
  return Object.fromEntries(byPath);
}

/** Names that every object has would not be the payload's own. */
function pathTo(path: string, key: string): string {
  const name = storableText(key.slice(0, 100));
  return path === '$' && !(key in Object.prototype) && key !== '$' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}
