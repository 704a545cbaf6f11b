import { type Headers, isRateHeader } from '../../gateway/quota.ts';

/** What a host answered. */
export interface HostAnswer {
  /** null: no answer. */
  readonly status: number | null;
  /** By lower-case name. */
  readonly headers: Headers;
  /** undefined: not JSON. */
  readonly body: unknown;
}

export interface Difference {
  readonly about: 'status' | 'body' | 'field' | 'type' | 'error format' | 'rate header' | 'limit';
  /** A place in the body, or a header. */
  readonly place: string;
  readonly old: string;
  readonly new: string;
}

/**
 * Where the answers of the old and the new host to one request differ in status, shape or rate headers; values may
 * differ.
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

/** The kinds of value at each place of a JSON document; all elements of a list are one place: `data.products[].id`. */
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

/** Names that are empty or hold other characters are quoted, so that no two places are written alike. */
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
    // What is below a missing field is missing too: once is enough.
    const isBelow = differences.some(
      (other) =>
        other.about === 'field' && (place.startsWith(`${other.place}.`) || place.startsWith(`${other.place}[`)),
    );
    const about = before === undefined || after === undefined ? 'field' : 'type';
    if (!isBelow) differences.push({ about, place, old: kindsIn(before), new: kindsIn(after) });
  }
  return differences;
}

/** Which rate headers there are, and whether a limit is lower; a higher one may be a bonus. */
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
