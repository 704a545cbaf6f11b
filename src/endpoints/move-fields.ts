/** A field that is now at `from` and is read at `to`. `[]` is every element of a list that both share, otherwise the first one. */
export interface MovedField {
  readonly endpoint: string;
  readonly from: string;
  readonly to: string;
}

/** The body with moved fields of an endpoint back in their old places. A value that is still in the old place wins; the body itself is not changed. */
export function moveFields<Body>(body: Body, endpoint: string, moved: readonly MovedField[]): Body {
  let result: unknown = body;
  for (const { endpoint: of, from, to } of moved) {
    if (of !== endpoint) continue;
    const [source, target] = [stepsOf(from), stepsOf(to)];
    let shared = 0;
    while (shared < source.length && source[shared] === target[shared]) shared++;
    result = within(result, source.slice(0, shared), (holder) =>
      relocated(holder, source.slice(shared), target.slice(shared)),
    );
  }
  return result as Body;
}

/** `data.products[].price` as `data`, `products`, `[]`, `price`. */
function stepsOf(path: string): readonly string[] {
  return path.split('.').flatMap((part) => {
    const name = part.replace(/(\[\])+$/, '');
    return [name, ...Array.from({ length: (part.length - name.length) / 2 }, () => '[]')];
  });
}

function within(value: unknown, steps: readonly string[], change: (holder: unknown) => unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  if (step === '[]')
    return Array.isArray(value) ? value.map((element: unknown) => within(element, rest, change)) : value;
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: within(value[step], rest, change) };
}

function relocated(holder: unknown, source: readonly string[], target: readonly string[]): unknown {
  // From a value to a place inside it: what is an object already is in its old form.
  if (source.length === 0)
    return holder === undefined || holder === null || typeof holder === 'object'
      ? holder
      : placed(undefined, target, holder);
  const found = valueAt(holder, source);
  if (found === undefined) return holder;
  if (target.length === 0) return found;
  return isBare(valueAt(holder, target)) ? placed(holder, target, found) : holder;
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    if (step === '[]') at = Array.isArray(at) ? at[0] : undefined;
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

function placed(value: unknown, steps: readonly string[], found: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return found;
  if (step === '[]')
    return Array.isArray(value) ? [placed(value[0], rest, found), ...value.slice(1)] : [placed(undefined, rest, found)];
  const holder = isObject(value) ? value : {};
  return { ...holder, [step]: placed(holder[step], rest, found) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBare = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);
