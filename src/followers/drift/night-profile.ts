import { ContractBroken, PricebookError } from '../../base/errors.ts';
import type { PromotionKind } from '../../base/model/index.ts';
import type { Endpoint } from '../../source/endpoints/index.ts';
import { type Profile, profileOf } from './payload-profile.ts';

/** Statistics of an endpoint's payloads on one night, and of the parsed result. */
export interface NightProfile {
  readonly payloads: number;
  /** Profile of the payloads as received. */
  readonly upstream: Profile;
  /** Profile of the parsed result. */
  readonly read: Profile;
  /** Number of payloads that break the contract. */
  readonly unreadable: number;
  /** Elements that were rejected, or of which a field could not be read. */
  readonly rejected: number;
  /** Number of elements, for payloads with a list. */
  readonly elements: number;
  /** Most frequent reasons with counts. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** A parsed payload with its request. */
export interface Sampled {
  readonly question: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type AnyEndpoint = Endpoint<never, unknown>;

const mostReasons = 10;

/** Profile of a sample of payloads and of the parsed result. */
export function nightProfileOf(endpoint: AnyEndpoint, sample: readonly Sampled[]): NightProfile {
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
    rejected += new Set(reading.rejected.map(({ path }) => elementOf(path))).size;
    rejectedWhole += reading.rejected.filter(({ isPart }) => !isPart).length;
    for (const { reason } of reading.rejected) blame(reason);
  }
  const read = profileOf(records, understood);
  return {
    payloads: sample.length,
    upstream: profileOf(sample.map(({ body }) => body)),
    read,
    unreadable,
    rejected,
    elements:
      rejectedWhole +
      Math.max(0, ...Object.entries(read).map(([path, at]) => (isTopList(path) ? (at.types.object ?? 0) : 0))),
    reasons: Object.fromEntries([...reasons].sort(([, one], [, other]) => other - one).slice(0, mostReasons)),
  };
}

/** `data.products[3]` of `data.products[3].price.price`. */
const elementOf = (path: string): string => path.replace(/(?<=\]).*$/, '');

/** Parsed result of a payload, or the reason of failure. */
export function readingOf(endpoint: AnyEndpoint, { question, body }: Sampled) {
  try {
    const { pageNo } = question;
    return endpoint.read(body, { ...question, ...(pageNo === undefined ? {} : { pageNo: Number(pageNo) }) } as never);
  } catch (error) {
    if (error instanceof ContractBroken) return { issues: error.issues };
    if (error instanceof PricebookError) return { issues: [error.message] };
    throw error;
  }
}

/** Values that were read but not understood count as missing. */
const understood = (value: unknown): unknown => (value === ('unknown' satisfies PromotionKind) ? null : value);

/** Whether a path is the main list of a result: `products[]`, `nodes[]`. */
const isTopList = (path: string): boolean => /^[a-z]+\[\]$/i.test(path);
