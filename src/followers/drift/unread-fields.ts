import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Endpoint, endpointsOf } from '../../source/endpoints/index.ts';
import { productsIn } from '../../source/endpoints/products-in.ts';
import { storableText } from '../../source/normalise/text.ts';
import { readingOf, type Sampled } from './night-profile.ts';
import { samplePayloads } from './sample.ts';

/** A field of the products in a night's payloads that has no effect on what is parsed. */
export interface UnreadField {
  readonly region: RegionCode;
  readonly endpoint: string;
  /** Path within a product; `[]` is any element of a list. */
  readonly path: string;
  /** Share of the sample's products that have a value. */
  readonly share: number;
  readonly example: string;
  /** First night whose payload profile has the field; null: none has. */
  readonly since: string | null;
  /** Whether no earlier night has a profile. */
  readonly isOlder: boolean;
}

interface Needs {
  readonly db: Queryable;
  readonly archive: Pick<Archive, 'getAll'>;
}

type AnyEndpoint = Endpoint<never, unknown>;

/** Payloads with the field from which it is removed to see whether the parser misses it. */
const payloadsTried = 3;
const mostPaths = 500;
const longestExample = 40;

/** Unread fields of a region's last run, in a sample of its pages and details. */
export async function findUnreadFields(needs: Needs, region: RegionCode): Promise<readonly UnreadField[]> {
  const [run] = await rowsOf<{ runId: number }>(needs.db, selectLastRun, [region]);
  if (!run) return [];
  const found: UnreadField[] = [];
  for (const endpoint of [endpointsOf[region].categoryPage, endpointsOf[region].productDetails] as AnyEndpoint[]) {
    const sample = await samplePayloads(needs, run.runId, endpoint.name);
    const { leaves, products } = leavesOf(sample);
    for (const [path, { holders, count, example, places }] of leaves) {
      if (holders.some((held) => isRead(endpoint, held, path))) continue;
      const since = await firstNight(
        needs.db,
        region,
        endpoint.name,
        [...places].map((place) => `${place}.${path}`),
      );
      found.push({ region, endpoint: endpoint.name, path, share: count / products, example, ...since });
    }
  }
  return found.sort((one, other) => (one.endpoint < other.endpoint ? -1 : one.endpoint > other.endpoint ? 1 : 0));
}

interface Leaf {
  readonly holders: Sampled[];
  /** Products with a value. */
  count: number;
  readonly example: string;
  /** Paths of the products in the payload. */
  readonly places: Set<string>;
}

/** Values of all products that are neither null nor an object or list, by path. */
function leavesOf(sample: readonly Sampled[]) {
  const leaves = new Map<string, Leaf>();
  let products = 0;
  for (const payload of sample) {
    for (const { fields, path: place } of productsIn(payload.body)) {
      products += 1;
      const seen = new Set<string>();
      for (const [path, value] of valuesIn(fields, '')) {
        if (seen.has(path)) continue;
        seen.add(path);
        const known = leaves.get(path);
        if (!known && leaves.size >= mostPaths) continue;
        const leaf = known ?? { holders: [], count: 0, example: storableText(String(value)), places: new Set() };
        leaves.set(path, leaf);
        leaf.count += 1;
        leaf.places.add(place);
        if (leaf.holders.length < payloadsTried && leaf.holders.at(-1) !== payload) leaf.holders.push(payload);
      }
    }
  }
  for (const [path, leaf] of leaves) leaves.set(path, { ...leaf, example: leaf.example.slice(0, longestExample) });
  return { leaves, products };
}

function* valuesIn(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const element of value) yield* valuesIn(element, `${path}[]`);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      const name = storableText(key.slice(0, 100));
      yield* valuesIn(child, path === '' ? name : `${path}.${name}`);
    }
  } else if (value !== null && value !== '') yield [path, value];
}

/** Whether the parsed result differs if the field of every product of the payload is altered, or missing. */
function isRead(endpoint: AnyEndpoint, payload: Sampled, path: string): boolean {
  const steps = path.replaceAll('[]', '.[]').split('.');
  const read = JSON.stringify(readingOf(endpoint, payload));
  return [altered, () => undefined].some((change) => {
    const body: unknown = structuredClone(payload.body);
    for (const { fields } of [...productsIn(body)]) changeAt(fields, steps, change);
    return JSON.stringify(readingOf(endpoint, { ...payload, body })) !== read;
  });
}

function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}1`;
  return typeof value === 'boolean' ? !value : value;
}

/** Changes the values at a path, where `[]` is every element of a list. */
function changeAt(value: unknown, [step, ...rest]: readonly string[], change: (value: unknown) => unknown): void {
  if (typeof value !== 'object' || value === null || step === undefined) return;
  const holder = value as Record<string, unknown>;
  for (const key of step === '[]' ? Object.keys(holder) : Object.hasOwn(holder, step) ? [step] : []) {
    if (rest.length > 0) changeAt(holder[key], rest, change);
    else holder[key] = change(holder[key]);
  }
}

async function firstNight(db: Queryable, region: RegionCode, endpoint: string, paths: readonly string[]) {
  const [night] = await rowsOf<Pick<UnreadField, 'since' | 'isOlder'> & Record<string, unknown>>(
    db,
    `select since, coalesce(since = earliest, false) as "isOlder"
     from (
       select min(snapshot_date) as earliest,
         min(snapshot_date) filter (where profile -> 'upstream' ?| $3::text[]) as since
       from ops.payload_profile
       where region = $1 and endpoint = $2 and payloads > 0
     ) as profiles`,
    [region, endpoint, paths],
  );
  return night ?? { since: null, isOlder: false };
}

const selectLastRun = `
  select run_id as "runId" from ops.published_run r
  where region = $1 and exists (select from ops.payload p where p.run_id = r.run_id)
  order by snapshot_date desc, run_id desc limit 1`;
