import { type Headers, isRateHeader } from '../gateway/quota.ts';
import { type Shape, shapeOf, valuesOf } from './shape.ts';

/** What a host answered, as far as two hosts are held against each other. */
export interface HostAnswer {
  /** null: none came. */
  readonly status: number | null;
  /** By lower-case name. */
  readonly headers: Headers;
  /** undefined: it is not JSON. */
  readonly body: unknown;
}

export interface Difference {
  readonly about: 'status' | 'body' | 'field' | 'type' | 'value' | 'error format' | 'rate header' | 'limit';
  /** Where: a place in the body, or a header. */
  readonly place: string;
  readonly old: string;
  readonly new: string;
}

/** Where the answers of the old and the new host to one request differ. Values are compared where both answered with success. */
export function compareAnswers(old: HostAnswer, fresh: HostAnswer): Difference[] {
  if (old.status !== fresh.status) {
    return [{ about: 'status', place: 'status', old: String(old.status), new: String(fresh.status) }];
  }
  if ((old.body === undefined) !== (fresh.body === undefined)) {
    const isJson = ({ body }: HostAnswer) => (body === undefined ? 'not JSON' : 'JSON');
    return [{ about: 'body', place: '$', old: isJson(old), new: isJson(fresh) }];
  }
  const isSuccess = old.status === 200;
  const shapes = compareShapes(shapeOf(old.body), shapeOf(fresh.body));
  const structure = isSuccess ? shapes : shapes.map((each): Difference => ({ ...each, about: 'error format' }));
  const errors = isSuccess ? [] : compareErrorNames(old.body, fresh.body);
  const values = isSuccess && structure.length === 0 ? compareValues(old.body, fresh.body) : [];
  return [...structure, ...errors, ...values, ...compareRates(old.headers, fresh.headers)];
}

/**
 * Where an answer of the new host has another structure than an earlier one of the old host had. What was null, or in an empty list,
 * says nothing of what may stand there.
 */
export function compareWithEarlier(earlier: unknown, fresh: unknown): Difference[] {
  const [old, now] = [shapeOf(earlier), shapeOf(fresh)];
  const isOpen = (shape: Shape, place: string) =>
    placesAbove(place).some(
      (above) => shape.get(above)?.has('null') || (shape.get(above)?.has('array') && !shape.has(`${above}[]`)),
    );
  return compareShapes(old, now).filter(({ about, place }) => {
    if (about === 'type') return !(old.get(place)!.has('null') || now.get(place)!.has('null'));
    return !isOpen(old, place) && !isOpen(now, place);
  });
}

/** `data.products[].id`: `data`, `data.products`, `data.products[]`. */
function placesAbove(place: string): string[] {
  const steps = place.split(/\.|(?=\[\])/);
  return steps
    .slice(1)
    .map((_, i) => steps.slice(0, i + 1).reduce((above, step) => above + (step === '[]' ? step : `.${step}`)));
}

function compareShapes(old: Shape, fresh: Shape): Difference[] {
  const differences: Difference[] = [];
  for (const place of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [before, after] = [old.get(place), fresh.get(place)];
    if (before === undefined || after === undefined) {
      differences.push({ about: 'field', place, old: kindsIn(before), new: kindsIn(after) });
    } else if (kindsIn(before) !== kindsIn(after)) {
      differences.push({ about: 'type', place, old: kindsIn(before), new: kindsIn(after) });
    }
  }
  // Of a field that is missing, what would stand below it is missing too: once is enough.
  return differences.filter(
    ({ about, place }) =>
      about !== 'field' ||
      !differences.some((other) => other.about === 'field' && place !== other.place && isBelow(place, other.place)),
  );
}

function isBelow(place: string, above: string): boolean {
  return place.startsWith(`${above}.`) || place.startsWith(`${above}[]`);
}

function compareValues(old: unknown, fresh: unknown): Difference[] {
  const [before, after] = [valuesOf(old), valuesOf(fresh)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => ({ about: 'value', place, old: shown(before.get(place)), new: shown(after.get(place)) }));
}

/** Programs tell errors apart by these; their sentences may name a plan or an address. */
const errorNames = ['error', 'error.name', 'code', 'error.issues[0].code'];

function compareErrorNames(old: unknown, fresh: unknown): Difference[] {
  const [before, after] = [valuesOf(old), valuesOf(fresh)];
  return errorNames
    .filter((place) => before.has(place) && after.has(place) && before.get(place) !== after.get(place))
    .map((place) => ({ about: 'error format', place, old: shown(before.get(place)), new: shown(after.get(place)) }));
}

/** Which rate headers there are, and what the limits are: a larger one may be the bonus of the new listing. */
function compareRates(old: HostAnswer['headers'], fresh: HostAnswer['headers']): Difference[] {
  const namesOf = (headers: HostAnswer['headers']) => Object.keys(headers).filter(isRateHeader);
  return [...new Set([...namesOf(old), ...namesOf(fresh)])].sort().flatMap((place): Difference[] => {
    const [before, after] = [old[place], fresh[place]];
    if (before === undefined || after === undefined) {
      return [{ about: 'rate header', place, old: shown(before), new: shown(after) }];
    }
    const isLower = place.endsWith('-limit') && Number(after) < Number(before);
    return isLower ? [{ about: 'limit', place, old: String(before), new: String(after) }] : [];
  });
}

function kindsIn(kinds: ReadonlySet<string> | undefined): string {
  return kinds === undefined ? 'missing' : [...kinds].sort().join(' or ');
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : String(value).slice(0, 60);
}
