import { type Headers, isRateHeader } from '../../gateway/quota.ts';

/** A host's response to one request. */
export interface HostAnswer {
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Keyed by lower-case name. */
  readonly headers: Headers;
  /** Parsed JSON; undefined if the body is not JSON. */
  readonly body: unknown;
}

export interface Difference {
  readonly about: 'status' | 'body' | 'field' | 'type' | 'error format' | 'rate header' | 'limit';
  /** Path in the body, or the name of a header. */
  readonly place: string;
  readonly old: string;
  readonly new: string;
}

/**
 * Compares the responses of the old and the new host to one request: status, shape and rate headers, but not values.
 */
export function compareAnswers(old: HostAnswer, fresh: HostAnswer): Difference[] {
  if (old.status !== fresh.status) {
    return [{ about: 'status', place: 'status', old: String(old.status), new: String(fresh.status) }];
  }
  const shapes = compareShapes(shapeOf(old.body), shapeOf(fresh.body));
  const isSuccess = old.status === 200;
  return [
    ...(isSuccess ? shapes : shapes.map((each): Difference => ({ ...each, about: 'error format' }))),
    ...compareRates(old.headers, fresh.headers),
  ];
}

/** Kinds of value at each path of a JSON document. All elements of a list share one path: `data.products[].id`. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>;

function shapeOf(document: unknown): Shape {
  const shape = new Map<string, Set<string>>();
  const visit = (value: unknown, place: string) => {
    shape.set(place, (shape.get(place) ?? new Set<string>()).add(kindOf(value)));
    if (Array.isArray(value)) for (const element of value) visit(element, `${place}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, placeOf(place, name));
  };
  visit(document, '$');
  return shape;
}

/** Quotes names that are empty or hold special characters, so that different paths never look alike. */
function placeOf(holder: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${holder}[${JSON.stringify(name)}]`;
  return holder === '$' ? name : `${holder}.${name}`;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'not JSON';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function compareShapes(old: Shape, fresh: Shape): Difference[] {
  if (kindsIn(old.get('$')) !== kindsIn(fresh.get('$'))) {
    return [{ about: 'body', place: '$', old: kindsIn(old.get('$')), new: kindsIn(fresh.get('$')) }];
  }
  const differences: Difference[] = [];
  for (const place of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [before, after] = [old.get(place), fresh.get(place)];
    if (kindsIn(before) === kindsIn(after)) continue;
    // Fields below a missing field are missing, too; report only the topmost.
    const isBelow = differences.some(
      (other) =>
        other.about === 'field' && (place.startsWith(`${other.place}.`) || place.startsWith(`${other.place}[`)),
    );
    const about = before === undefined || after === undefined ? 'field' : 'type';
    if (!isBelow) differences.push({ about, place, old: kindsIn(before), new: kindsIn(after) });
  }
  return differences;
}

/** Compares which rate headers exist, and reports lower limits. A higher limit may be a bonus. */
function compareRates(old: Headers, fresh: Headers): Difference[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(isRateHeader).sort();
  return names.flatMap((place): Difference[] => {
    const [before, after] = [old[place], fresh[place]];
    const difference = { place, old: String(before ?? 'missing'), new: String(after ?? 'missing') };
    if (before === undefined || after === undefined) return [{ about: 'rate header', ...difference }];
    return place.endsWith('-limit') && Number(after) < Number(before) ? [{ about: 'limit', ...difference }] : [];
  });
}

function kindsIn(kinds: ReadonlySet<string> | undefined): string {
  return kinds === undefined ? 'missing' : [...kinds].sort().join(' or ');
}
